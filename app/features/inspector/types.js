/**
 * Declares the data that Python sends to the inspector.
 * @typedef {{path: string, i: number, j: number, name: string, value: number | null}} Operand
 *   value: null is −∞
 *
 * @typedef {{name: string, values: (number | null)[]}} Strip null: −∞
 * @typedef {object} Strips a row and a column whose products are added up
 * @property {Strip} row @property {Strip} column @property {string[]} labels
 * @property {[name: string, value: number]} [bias] @property {[count: number, sum: number]} [rest]
 *
 * @typedef {object} SilenceChoice a part that can be silenced
 * @property {string} name @property {string} label @property {"zero" | "mean" | ""} to
 *
 * @typedef {object} CellDetails about a cell; empty if none is selected; see `explain/details.py`
 * @property {string} [path] @property {number} [i] @property {number} [j]
 * @property {string} [symbol] @property {string} [title] @property {string} [where]
 * @property {string} [place] @property {boolean} [editable] @property {boolean} [edited]
 * @property {boolean} [edited_here] @property {boolean} [parameter] @property {boolean} [covered]
 * @property {number} [original] @property {string} [formula] @property {string[]} [arithmetic]
 * @property {Operand[]} [operands] @property {number} [more_operands]
 * @property {Strips | null} [strips] @property {[view: string, label: string][]} [ideas]
 * @property {string} [note] @property {number | null} [pinned] @property {boolean} [patches]
 * @property {boolean} [renormalizes] @property {string} [word] @property {number} [low]
 * @property {number} [high] @property {boolean} [share] @property {boolean} [looks]
 * @property {boolean} [row_edited] @property {number} [heads]
 * @property {boolean} [row_edited_elsewhere] @property {SilenceChoice[]} [silence]
 * @property {string} [silenced] @property {string} [unheard]
 *
 * @typedef {object} GradientDetails about a cell's gradient
 * @property {string} [path] @property {number} [i] @property {number} [j]
 * @property {string} [symbol] @property {number | null} [value] @property {number | null} [loss]
 * @property {string} [right]
 * @property {[raised: number, lowered: number] | null} [exact] @property {string[]} [arithmetic]
 * @property {Operand[]} [operands] @property {number} [more_operands]
 * @property {Strips | null} [strips] @property {string} [note] @property {boolean} [costly]
 *
 * @typedef {object} Curve a probability as a function of the cell's value
 * @property {number} low @property {number} high
 * @property {number[]} probabilities at equal steps from low to high
 * @property {number} row the position of the prediction
 * @property {number} column the predicted word
 * @property {[column: number, word: string][]} words that can be chosen
 * @property {string[]} rows to choose from: ``after “le chat”``
 * @property {string} [pending] the computation in progress, if the curve is outdated
 *
 * @typedef {object} WordRow a row of predictions and its likeliest words
 * @property {number} row @property {string} name ``after “le chat”``
 * @property {[low: number, high: number, word: string][]} stretches ascending, without gaps
 *
 * @typedef {object} Words the likeliest words at each value in a range
 * @property {number} low @property {number} high @property {WordRow[]} rows of all positions
 * @property {string} end the word that ends a sentence
 * @property {string} unread the reason why no word can change, if no token reads the cell
 * @property {string} [pending] the computation in progress, if the words are outdated
 *
 * @typedef {{type: "gradient", now: boolean} | {type: "restore_matrix"} | {type: "renormalize"} |
 *   {type: "look_only", everywhere: boolean} | {type: "release_row", everywhere: boolean} | {type:
 *   "silence", name: string, to: "zero" | "mean" | null} | {type: "patch", part: "number" | "row" |
 *   "matrix"} | {type: "wish", row: number, word: string}} FromInspector
 * @typedef {(message: FromInspector) => void} Send
 */
