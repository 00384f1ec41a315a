/**
 * What travels between the board and its Python half (`messages.py`), and what of it the modules
 * hand one another.
 *
 * @typedef {{i: number, j: number}} Cell
 * @typedef {{path: string, i: number, j: number}} CellOf a cell of a matrix
 * @typedef {[path: string, i: number, j: number, i2: number, j2: number]} Operand a rectangle of
 *   cells
 * @typedef {"value" | "gradient" | "change" | "patch"} Plane what of a matrix its cells show
 *
 * @typedef {{stack: string, index: number}} Lane a token of a stack
 *
 * @typedef {object} ViewSettings
 * @property {"blue-red" | "safe"} palette
 * @property {"fixed" | "matrix"} scale
 * @property {"scientific" | "decimal"} numbers
 * @property {Plane} plane
 */

/** @import {Field} from "../../form/fields.js" */

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
 * Messages from the Python half.
 * @typedef {{type: "stale", stale: number[]}} StaleMessage
 * @typedef {{type: "manifest", json: string}} ManifestMessage
 * @typedef {{type: "frame", bytes: ArrayBuffer, stale: number[]}} FrameMessage of those that are
 *   stale, what is here is perhaps no longer so
 * @typedef {{type: "move", index: number, from: string, json: string}} MoveMessage
 * @typedef {{type: "orbit", bytes: ArrayBuffer, path: string, i: number, j: number, values:
 *   number[],
 *   period: number}} OrbitMessage
 * @typedef {{type: "orbit_end"}} OrbitEndMessage
 * @typedef {{type: "selection" | "preview", path: string | null, i: number, j: number,
 *   operands: Operand[]}} SelectionMessage
 * @typedef {{type: "look", camera: number[] | null, followed: [string, number] | null}} LookMessage
 * @typedef {{type: "lens", json: string}} LensMessage path -> a word for each row
 * @typedef {{type: "view"} & ViewSettings} ViewMessage
 * @typedef {{type: "step"}} StepMessage
 * @typedef {{type: "scenario", scenario: string, steps: string, version: number}} ScenarioMessage
 *   steps: those of undo
 * @typedef {{type: "link", code: string | null}} LinkMessage
 * @typedef {{type: "baseline", bytes: ArrayBuffer | null}} BaselineMessage
 * @typedef {ManifestMessage | FrameMessage |
 *   StaleMessage | MoveMessage | OrbitMessage | OrbitEndMessage |
 *   SelectionMessage | LookMessage | LensMessage | ViewMessage | StepMessage | ScenarioMessage |
 *   LinkMessage | BaselineMessage} ToBoard
 */

/**
 * Messages to the Python half.
 * @typedef {{type: "ready", link: string | null, saved: Uint8Array | null,
 *   steps: Uint8Array | null, again: boolean, unsent: boolean}} ReadyMessage
 * @typedef {{type: "ack", seq: number}} AckMessage
 * @typedef {{type: "visible", indices: number[], version: number}} VisibleMessage
 * @typedef {{type: "set", path: string, i: number, j: number, value: number, of?: string,
 *   ack?: number, press: number}} SetMessage
 * @typedef {{type: "hover", path: string | null, i: number, j: number}} PointedMessage
 * @typedef {{type: "select", path: string | null, i: number, j: number,
 *   of?: string}} SelectMessage
 * @typedef {{type: "restore", path: string, i: number, j: number, of?: string,
 *   press: number}} RestoreMessage
 * @typedef {{type: "silence", path: string, row: number | null, column: number | null,
 *   to: "zero" | "mean" | null, of?: string}} SilenceMessage null releases it
 * @typedef {{type: "oscillate", on: boolean, amplitude: number | null,
 *   period: number | null}} OscillateMessage
 * @typedef {{type: "focus", scope: string, head: number}} FocusMessage
 * @typedef {{type: "pair", scope: string, head: number, query: number, key: number,
 *   of?: string}} PairMessage
 * @typedef {{type: "pull", scope: string, head: number, query: number, key: number,
 *   value: number, of?: string}} PullMessage
 * @typedef {{type: "window", path: string, row: number, column: number}} WindowMessage
 * @typedef {{type: "choose", name: string, number: number}} ChooseMessage
 * @typedef {{type: "goto", place: string}} GotoMessage
 * @typedef {{type: "setting", name: string, value: unknown}} SettingMessage
 * @typedef {{type: "place", name: "camera" | "followed" | "unfolded", value: (string | number)[] |
 *   null} | {type: "place", name: "view", value: string}
 *   | {type: "place", name: "lens", value: boolean}} PlaceMessage
 * @typedef {{type: "link"}} AskLinkMessage
 * @typedef {{type: "undo" | "redo"}} HistoryMessage
 * @typedef {{type: "unkept"}} UnkeptMessage
 * @typedef {ReadyMessage | AckMessage | VisibleMessage | SetMessage | PointedMessage
 *   | SelectMessage | RestoreMessage | SilenceMessage | OscillateMessage | FocusMessage
 *   | PairMessage | PullMessage | WindowMessage | ChooseMessage | GotoMessage | PlaceMessage
 *   | SettingMessage | AskLinkMessage
 *   | HistoryMessage | UnkeptMessage} FromBoard
 * @typedef {(message: FromBoard) => Promise<number>} Send gives the version of the page in which it
 *   is done; what is refused Python shows
 */

