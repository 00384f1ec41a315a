/**
 * The types of the manifest (`manifest.py`) and of the board's modules. Messages are in
 * `messages.js`.
 * @typedef {{i: number, j: number}} Cell
 * @typedef {{path: string, i: number, j: number}} CellOf a cell of a matrix
 * @typedef {[path: string, i: number, j: number, i2: number, j2: number]} Operand a rectangle of
 *   cells, including its last row and column
 * @typedef {ViewSettings["plane"]} Plane the kind of numbers that the cells show
 *
 * @typedef {{stack: string, index: number}} Lane a token position of a stack
 * @typedef {Lane & {isWritten: boolean, word?: string}} FollowedLane the lane of the followed word;
 *   `isWritten`: whether the lane writes the word, not only reads it; `word`: the word as shown
 *
 * @typedef {Omit<ViewMessage, "type">} ViewSettings
 */

/**
 * @import {Field} from "../../components/form/fields.js"
 * @import {FromBoard, ViewMessage} from "./messages.js"
 */

/**
 * An axis of matrices: labels, full names if they differ from the labels, and the stack whose
 * tokens are along the axis.
 * @typedef {{labels: string[], names?: string[], stack?: string}} Axis
 *
 * A matrix of the manifest.
 * @typedef {object} MatrixEntry
 * @property {string} path
 * @property {string} tex its symbol, in LaTeX
 * @property {string} [note]
 * @property {string} [place] its position in the model, in words
 * @property {string} [meaning] the meaning of its numbers, in words
 * @property {number} rows
 * @property {number} cols
 * @property {string[]} row_labels
 * @property {string[]} col_labels
 * @property {string[]} [row_names] full names, if longer than the labels
 * @property {string[]} [col_names]
 * @property {boolean} editable whether it is a parameter
 * @property {boolean} [fixed] whether its cells cannot be set, as in a mask or the loss
 * @property {"share"} [scale] if present, its numbers are from 0 to 1; otherwise they may be
 *   negative
 * @property {boolean} [constant]
 * @property {string} [role] its role in attention: query, key, value …
 * @property {number | null} head
 * @property {[path: string, row: number, column: number]} [origin] of a part of a matrix: path of
 *   that matrix, first row and first column of the part
 * @property {boolean} [products] whether its cells are the terms of the sum in the cell `origin`
 * @property {string} [overview] of a window: the path of its overview
 * @property {[rows: number, columns: number]} [whole] of a window or an overview: the size of the
 *   whole matrix
 * @property {[rows: number, columns: number]} [block] of an overview: the cells that one dot
 *   represents
 * @property {[row: string, column: string]} [letters] of an overview: the first letters of the
 *   labels
 * @property {[rows: string | null, columns: string | null]} [lanes] the stacks whose tokens are its
 *   rows and columns
 * @property {number} [of] in a list of likeliest words: the size of the vocabulary
 * @property {string[][]} [words] in a list of likeliest words: the words
 * @property {Record<number, string>} [tokens] of the probabilities: the tokens whose labels differ
 */

/**
 * The items of a row of a stage.
 * @typedef {{matrix: number}} MatrixItem
 * @typedef {{operator: string}} OperatorItem
 * @typedef {{links: number[], large?: boolean, scope?: string}} LinksItem
 * @typedef {{thumbs: number[], scopes: string[], label: string, place: string, heads: number}}
 *   ThumbsItem
 * @typedef {{pair: number[], scope: string}} PairItem
 * @typedef {MatrixItem | OperatorItem | LinksItem | ThumbsItem | PairItem} Item
 *
 * @typedef {object} RowEntry
 * @property {string | string[] | null} tex
 * @property {string | null} caption
 * @property {Item[]} items
 * @property {boolean} [stacked] whether its matrices are stacked with aligned columns
 *
 * A picture that explains a part of the model.
 * @typedef {[view: string, label: string]} IdeaLink
 *
 * @typedef {object} StageEntry
 * @property {string} id
 * @property {string} [part]
 * @property {string} title
 * @property {string[]} text
 * @property {{summary: string, text: string[]} | null} [more]
 * @property {number} heads number of heads; the stage shows one head at a time
 * @property {TokenChoice | null} [tokens] choice of a token that the stage shows alone
 * @property {RowEntry[]} rows
 * @property {Field[]} [settings] settings of the model that the stage shows
 * @property {IdeaLink[]} [ideas]
 *
 * @typedef {{name: string, labels: string[], names: string[], chosen: number}} TokenChoice `chosen`
 *   is −1 for all
 * @typedef {{name: string, label: string, count: number, chosen: number, all?: number}} Choice
 * @typedef {{scope: string, head: number, query: number, key: number}} AttentionFocus
 *
 * @typedef {object} StripItem
 * @property {number} strip index of its matrix
 * @property {string} stack whose token positions are its rows
 * @property {string} title in words
 * @property {string} [words] its meaning in one word; the same for all heads of a tensor
 * @property {number[]} under indices of vectors shown under its columns
 * @property {string} [backward] replaces the title while gradients are shown
 * @property {string} [sign] operator in front of it
 * @property {boolean} [lens] whether the lens shows words beside its rows
 *
 * @typedef {{lanes: number[], stack: string, keys: string}} LanesItem attention, drawn as links
 *   from the tokens of the keys to those of the queries; one matrix for each head
 * @typedef {{tex: string, tiles: number[], starts_row?: boolean}} TilesEntry weights or losses, one
 *   below the other; `starts_row`: whether they are placed below all previous ones
 *
 * A part of the whole picture: a sublayer, or the input or output of a stack.
 * @typedef {object} PartEntry
 * @property {string} id
 * @property {string} stack
 * @property {"input" | "attention" | "cross" | "feed_forward" | "norm" | "output"} kind
 * @property {string} title
 * @property {string} words its function, in plain words
 * @property {number | null} layer counted from 1; null without a layer, and in a stack of one layer
 * @property {string} stage the stage that shows it as formulas
 * @property {string[]} tex
 * @property {(StripItem | LanesItem)[]} items in order of computation
 * @property {TilesEntry[]} tiles
 * @property {number} weights number of its parameters
 * @property {string} adds terms of its residual connection, in words; may be empty
 * @property {boolean} unfolds
 * @property {boolean} unfolded
 * @property {IdeaLink[]} ideas
 *
 * @typedef {{stack: string, title: string, words: string[], names: string[], right: (string |
 *   null)[], allowed: string[][], room: number}} LanesEntry `room`: the number of lanes for which
 *   rows are reserved
 * @typedef {{lens: boolean, stacks: LanesEntry[], parts: PartEntry[]}} WholeEntry `lens`: whether
 *   the lens shows words
 *
 * @typedef {object} SilencedPart a part of the model whose output is replaced by zeros or the mean
 * @property {string} path of its matrix
 * @property {number | null} row null for every row
 * @property {number | null} column
 * @property {"zero" | "mean"} to
 * @property {string} label short label, for use beside its matrix
 * @property {string} words full label
 * @property {number[]} unheard the heads of its attention whose output is ignored in that row
 *
 * @typedef {object} Manifest
 * @property {number} version
 * @property {string} [model] its name
 * @property {string} [structure] identifies the structure that a cell's address refers to
 * @property {MatrixEntry[]} matrices
 * @property {StageEntry[]} stages
 * @property {WholeEntry} [whole] the picture of the whole model, if it is shown
 * @property {LanesEntry[]} [lanes] of each stack, if the picture is not shown
 * @property {Choice[]} choices which layer and head of a large model is drawn
 * @property {SilencedPart[]} [silenced]
 * @property {string} [hint]
 * @property {AttentionFocus} [focus]
 * @property {number[]} [pinned] matrices that are always sent
 * @property {number} [likeliest] index of the matrix of the largest probabilities, if only these
 *   are sent
 * @property {number} [selected] index of the 1 × 1 matrix with the selected cell
 */

/**
 * @typedef {(message: FromBoard) => Promise<number>} Send resolves to the page version that
 *   includes the change; Python shows refusals
 */
