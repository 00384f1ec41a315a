/**
 * The manifest (`manifest.py`), and what the board's modules pass to one another. Messages are in
 * `messages.js`.
 *
 * @typedef {{i: number, j: number}} Cell
 * @typedef {{path: string, i: number, j: number}} CellOf a cell of a matrix
 * @typedef {[path: string, i: number, j: number, i2: number, j2: number]} Operand a rectangle of
 *   cells
 * @typedef {ViewSettings["plane"]} Plane what of a matrix its cells show
 *
 * @typedef {{stack: string, index: number}} Lane a token of a stack
 *
 * @typedef {Omit<ViewMessage, "type">} ViewSettings
 */

/**
 * @import {Field} from "../../form/fields.js"
 * @import {FromBoard, ViewMessage} from "./messages.js"
 */

/**
 * A matrix of the manifest.
 * @typedef {object} MatrixEntry
 * @property {string} path
 * @property {string} tex its symbol
 * @property {string} [note]
 * @property {number} rows
 * @property {number} cols
 * @property {string[]} row_labels
 * @property {string[]} col_labels
 * @property {string[]} [row_names] in full, where that is more than the labels
 * @property {string[]} [col_names]
 * @property {boolean} editable a parameter
 * @property {boolean} [fixed] its cells cannot be set: those of a mask, and the loss
 * @property {"share"} [scale] its numbers are shares of 1; others go both ways from 0
 * @property {boolean} [constant]
 * @property {string} [role] what it is in attention: query, key, value …
 * @property {number | null} head
 * @property {[path: string, row: number, column: number]} [origin] of a part: the matrix it is of,
 *   and where in that it begins
 * @property {boolean} [products] terms of the sum that the one cell `origin` is
 * @property {string} [overview] of a window: the path of the overview over it
 * @property {[rows: number, columns: number]} [whole] of a window or an overview: its matrix's size
 * @property {[rows: number, columns: number]} [block] of an overview: the cells that a dot stands
 *   for
 * @property {[row: string, column: string]} [letters] of an overview: what labels begin with
 * @property {[rows: string | null, columns: string | null]} [lanes] the stacks whose tokens its
 *   rows and its columns are
 * @property {number} [of] of the likeliest words: of how many
 * @property {string[][]} [words] of the likeliest words: which they are
 */

/**
 * What stands in a row of a stage.
 * @typedef {{matrix: number}} MatrixItem
 * @typedef {{operator: string}} OperatorItem
 * @typedef {{links: number[], large?: boolean, scope?: string}} LinksItem
 * @typedef {{thumbs: number[], scopes: string[], label: string, stack: string, heads: number,
 *   opens?: boolean}} ThumbsItem
 * @typedef {{pair: number[], scope: string}} PairItem
 * @typedef {MatrixItem | OperatorItem | LinksItem | ThumbsItem | PairItem} Item
 *
 * @typedef {object} RowEntry
 * @property {string | string[] | null} tex
 * @property {string | null} caption
 * @property {Item[]} items
 * @property {boolean} [stacked] one above the other, column over column
 *
 * @typedef {object} StageEntry
 * @property {string} id
 * @property {string} [part]
 * @property {string} title
 * @property {string[]} text
 * @property {{summary: string, text: string[]} | null} [more]
 * @property {number} heads of which one at a time is shown, if there are several
 * @property {TokenChoice | null} [tokens] of which one can be followed by itself
 * @property {RowEntry[]} rows
 * @property {Field[]} [settings] of the model, that belong here
 *
 * @typedef {{name: string, labels: string[], names: string[], chosen: number}} TokenChoice chosen
 *   is −1 for all
 * @typedef {{name: string, label: string, count: number, chosen: number, all?: number}} Choice
 * @typedef {{scope: string, head: number, query: number, key: number}} AttentionFocus
 *
 * @typedef {object} StripItem
 * @property {number} strip its matrix
 * @property {string} stack whose lanes its rows lie on
 * @property {string} title in words
 * @property {number[]} under vectors under its columns
 * @property {string} [sign] an operator before it
 * @property {boolean} [lens] words stand beside its rows
 *
 * @typedef {{lanes: number[], stack: string, keys: string}} LanesItem attention as
 *   links from the lanes of the keys to those of the queries, a matrix for each head
 * @typedef {{tex: string, tiles: number[]}} TilesEntry weights, one below the other
 *
 * A sublayer of the whole picture, or what comes before the first and after the last.
 * @typedef {object} PartEntry
 * @property {string} id
 * @property {string} stack
 * @property {"input" | "attention" | "cross" | "feed_forward" | "norm" | "output"} kind
 * @property {string} title
 * @property {number | null} layer
 * @property {string} stage that reads it as formulas
 * @property {string[]} tex
 * @property {(StripItem | LanesItem)[]} items in order of computation
 * @property {TilesEntry[]} tiles
 * @property {number} weights how many learned numbers it has
 * @property {boolean} residual whether what enters it is added to what it computes
 * @property {boolean} unfolds
 * @property {boolean} unfolded
 *
 * @typedef {{stack: string, title: string, words: string[], names: string[], right: string[]}}
 *   LanesEntry
 * @typedef {{lens: boolean, stacks: LanesEntry[], parts: PartEntry[]}} WholeEntry lens: words stand
 *   along the lanes
 *
 * @typedef {object} SilencedPart a part that says nothing, or what it says on average
 * @property {string} path of its matrix
 * @property {number | null} row null: every one
 * @property {number | null} column
 * @property {"zero" | "mean"} to
 * @property {string} label which it is, where its place is in sight
 * @property {string} words the same in full
 *
 * @typedef {object} Manifest
 * @property {number} version
 * @property {string} [structure] by which the addresses of its cells are known later
 * @property {MatrixEntry[]} matrices
 * @property {StageEntry[]} stages
 * @property {WholeEntry} [whole] the picture of the whole model, where that is shown
 * @property {Choice[]} choices which layer and head of a large model is drawn
 * @property {SilencedPart[]} [silenced]
 * @property {string} [hint]
 * @property {AttentionFocus} [focus]
 * @property {boolean} [only_pictures] no number stands there
 * @property {number[]} [pinned] matrices that are always sent
 * @property {number} [likeliest] the matrix of the largest probabilities, where not all are sent
 * @property {number} [selected] the matrix that has the selected number alone
 */

/**
 * @typedef {(message: FromBoard) => Promise<number>} Send gives the version of the page in which it
 *   is done; what is refused Python shows
 */
