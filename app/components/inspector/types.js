/**
 * What the inspector is sent.
 *
 * @typedef {{path: string, i: number, j: number, name: string, value: number | null}} Operand
 *   value: null is −∞
 *
 * @typedef {{name: string, values: (number | null)[]}} Strip null: −∞
 * @typedef {object} Strips a row and a column whose products are added up
 * @property {Strip} row @property {Strip} column @property {string[]} labels of the products
 * @property {[name: string, value: number]} [bias] what is added to them
 * @property {[count: number, sum: number]} [rest] of products that are not drawn
 *
 * @typedef {object} SilenceChoice a part that can be silenced
 * @property {string} name
 * @property {string} label
 * @property {"zero" | "mean" | ""} to what it is silenced to; empty where it is not
 *
 * @typedef {object} CellDetails what is known of a cell; nothing at all where none is selected
 * @property {string} [path]
 * @property {number} [i]
 * @property {number} [j]
 * @property {string} [symbol] TeX
 * @property {string} [title]
 * @property {string} [where]
 * @property {boolean} [editable]
 * @property {boolean} [edited]
 * @property {boolean} [edited_here] something of its matrix
 * @property {boolean} [parameter]
 * @property {boolean} [covered] its number is not told while a question asks for it
 * @property {number} [original] what it was, or was computed as, before it was edited
 * @property {string} [formula] TeX
 * @property {string[]} [arithmetic] lines, without the result
 * @property {Operand[]} [operands] the first of them
 * @property {number} [more_operands] how many more there are
 * @property {Strips | null} [strips] where it is the sum of products of a row and a column
 * @property {string} [note]
 * @property {number | null} [pinned] what it was in the baseline
 * @property {boolean} [patches] numbers of the baseline can be put in its place
 * @property {boolean} [renormalizes]
 * @property {number} [low] the lowest number it is slid to
 * @property {number} [high]
 * @property {boolean} [share] of 1
 * @property {boolean} [looks] it is an attention weight
 * @property {boolean} [row_edited] something of its row was set
 * @property {number} [heads] of its sublayer
 * @property {boolean} [row_edited_elsewhere] something of that row was set in another head
 * @property {SilenceChoice[]} [silence] the parts it is of that can be silenced
 * @property {string} [silenced] what it is silenced to, in a sentence
 *
 * @typedef {object} GradientDetails what is known of a cell's gradient
 * @property {string} [path]
 * @property {number} [i]
 * @property {number} [j]
 * @property {string} [symbol] TeX
 * @property {number | null} [value]
 * @property {number | null} [loss]
 * @property {string} [right] what counts as right in it, where that is the model's own writing
 * @property {number} [step] what `exact` moved the cell by
 * @property {[raised: number, lowered: number] | null} [exact] how the loss changes
 * @property {string[]} [arithmetic]
 * @property {Operand[]} [operands] the first of them
 * @property {number} [more_operands] how many more there are
 * @property {Strips | null} [strips] where it is the sum of products of a row and a column
 * @property {string} [note]
 * @property {boolean} [costly] it is computed only on request
 *
 * @typedef {object} Curve a probability over the values of the cell
 * @property {number} low
 * @property {number} high
 * @property {number[]} probabilities at equal steps from low to high
 * @property {number} row the token after which the word stands
 * @property {number} column the word
 * @property {[column: number, word: string][]} words to choose from
 * @property {string[]} after to choose from
 *
 * @typedef {{type: "gradient", now: boolean} | {type: "restore_matrix"}
 *   | {type: "renormalize"} | {type: "look_only", everywhere: boolean}
 *   | {type: "release_row", everywhere: boolean}
 *   | {type: "silence", name: string, to: "zero" | "mean" | null}
 *   | {type: "patch", part: "number" | "row" | "matrix"}} FromInspector
 * @typedef {(message: FromInspector) => void} Send
 */
