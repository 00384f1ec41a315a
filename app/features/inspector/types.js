/**
 * The data that Python sends to the inspector.
 * @typedef {{path: string, i: number, j: number, name: string, value: number | null}} Operand
 *   value: null is −∞
 *
 * @typedef {{name: string, values: (number | null)[]}} Strip null: −∞
 * @typedef {object} Strips a row and a column whose products are added up
 * @property {Strip} row @property {Strip} column @property {string[]} labels of the products
 * @property {[name: string, value: number]} [bias] added to the sum
 * @property {[count: number, sum: number]} [rest] number and sum of the products that are not drawn
 *
 * @typedef {object} SilenceChoice a part that can be silenced
 * @property {string} name @property {string} label
 * @property {"zero" | "mean" | ""} to what it is silenced to; empty if it is not silenced
 *
 * @typedef {object} CellDetails about a cell; empty if none is selected
 * @property {string} [path] @property {number} [i] @property {number} [j]
 * @property {string} [symbol] TeX
 * @property {string} [title]
 * @property {string} [where] row and column, with position and id
 * @property {string} [place] the same in short
 * @property {boolean} [editable] @property {boolean} [edited]
 * @property {boolean} [edited_here] whether its matrix is edited
 * @property {boolean} [parameter]
 * @property {boolean} [covered] hidden, because a lesson asks for its value
 * @property {number} [original] its value before the edit
 * @property {string} [formula] TeX
 * @property {string[]} [arithmetic] lines of arithmetic, without the result
 * @property {Operand[]} [operands] the first operands
 * @property {number} [more_operands] number of operands that are not listed
 * @property {Strips | null} [strips] its row and column, if it is a sum of products
 * @property {[view: string, label: string][]} [ideas] pictures that explain its matrix
 * @property {string} [note]
 * @property {number | null} [pinned] its value in the baseline
 * @property {boolean} [patches] whether numbers can be copied from the baseline
 * @property {boolean} [renormalizes]
 * @property {string} [word] the word of a probability, if another one is likelier
 * @property {number} [low] lower end of the slider
 * @property {number} [high]
 * @property {boolean} [share] whether it is a share, from 0 to 1
 * @property {boolean} [looks] whether it is an attention weight
 * @property {boolean} [row_edited] whether its row is overridden
 * @property {number} [heads] number of heads of its sublayer
 * @property {boolean} [row_edited_elsewhere] whether the same row is overridden in another head
 * @property {SilenceChoice[]} [silence] the parts containing it that can be silenced
 * @property {string} [silenced] a sentence on what it is silenced to
 * @property {string} [unheard] a sentence on the silence because of which it changes nothing
 *
 * @typedef {object} GradientDetails about a cell's gradient
 * @property {string} [path] @property {number} [i] @property {number} [j]
 * @property {string} [symbol] TeX
 * @property {number | null} [value] @property {number | null} [loss]
 * @property {string} [right] the right answer, if it is the model's own output
 * @property {number} [step] how much `exact` moved the cell
 * @property {[raised: number, lowered: number] | null} [exact] the change of the loss
 * @property {string[]} [arithmetic]
 * @property {Operand[]} [operands] the first operands
 * @property {number} [more_operands] number of operands that are not listed
 * @property {Strips | null} [strips] its row and column, if it is a sum of products
 * @property {string} [note]
 * @property {boolean} [costly] whether it is computed only on request
 *
 * @typedef {object} Curve a probability as a function of the cell's value
 * @property {number} low @property {number} high
 * @property {number[]} probabilities at equal steps from low to high
 * @property {number} row the position of the prediction
 * @property {number} column the predicted word
 * @property {[column: number, word: string][]} words that can be chosen
 * @property {string[]} rows to choose from: ``after “le chat”``
 * @property {string} [pending] what is computed, if the curve is outdated
 *
 * @typedef {object} WordRow a row of predictions and its likeliest words
 * @property {number} row @property {string} name ``after “le chat”``
 * @property {[low: number, high: number, word: string][]} stretches ascending, without gaps
 *
 * @typedef {object} Words the likeliest words at each value in a range
 * @property {number} low @property {number} high @property {WordRow[]} rows of all positions
 * @property {string} end the word that ends a sentence
 * @property {string} unread why no word can change, if no token reads the cell
 * @property {string} [pending] what is computed, if the words are outdated
 *
 * @typedef {{type: "gradient", now: boolean} | {type: "restore_matrix"} | {type: "renormalize"} |
 *   {type: "look_only", everywhere: boolean} | {type: "release_row", everywhere: boolean} | {type:
 *   "silence", name: string, to: "zero" | "mean" | null} | {type: "patch", part: "number" | "row" |
 *   "matrix"} | {type: "wish", row: number, word: string}} FromInspector
 * @typedef {(message: FromInspector) => void} Send
 */
