/**
 * Declares the data that Python sends for the decoding methods; see `decoding/`.
 * @typedef {object} BarRow a word of a distribution; `q` is its probability after filtering
 * @property {string} word @property {number} p @property {boolean} chosen @property {number} [q]
 * @property {boolean} [cut] whether filtering removed the word
 *
 * @typedef {{count: number, p: number, q?: number, cut?: number}} Others all other words; filtering
 *   removed `cut` of them
 * @typedef {{rows: BarRow[], others: Others}} Distribution the likeliest words, in descending order
 *
 * @typedef {object} DecodedText a text, step by step
 * @property {string[]} given @property {string} opening @property {number[]} ids
 * @property {string[]} tokens @property {string[]} texts @property {Distribution[]} steps
 * @property {boolean} finished @property {number} log_probability
 *
 * @typedef {DecodedText & {seed: number, temperature: number}} SampledText
 *
 * @typedef {{given: string, word: string, p: number, is_right: boolean | null}} Prediction a
 *   prediction at one position; `is_right` is null if there is no right answer
 * @typedef {{right: string | null, forced: Prediction | null, free: Prediction | null}} Position
 *
 * @typedef {object} Comparison
 * @property {"data" | "model" | "reader"} right_of @property {Position[]} rows
 * @property {number} of @property {number} forced @property {number} free
 * @property {number | null} first @property {boolean} finished
 *
 * @typedef {object} FilledPosition a position of an encoder-only model's text
 * @property {string} token @property {string} word @property {number} p
 * @property {number | null} turn the order of a blank @property {Distribution} bars
 *
 * @typedef {object} Filling
 * @property {FilledPosition[]} rows @property {string} text @property {number} opens first position
 * @property {boolean} can_blank @property {string[]} notes
 *
 * @typedef {"open" | "dropped" | "finished"} Status of a node
 *
 * @typedef {object} TreeNode `own` and `total` are log p of its token and of the text up to it
 * @property {number} id @property {number | null} parent @property {string} token
 * @property {number} step @property {number} row @property {number} rank in its step
 * @property {number} p @property {number} own @property {number} total @property {number} penalty
 * @property {number} score @property {Status} status @property {boolean} best
 *
 * @typedef {{id: number, text: string, finished: boolean}} Hypothesis
 *
 * @typedef {object} SearchTree
 * @property {string[]} given @property {TreeNode[]} nodes @property {Hypothesis[]} hypotheses
 * @property {number} rows @property {"nothing open" | "nothing better" | "enough" | "limit"} stop
 * @property {"textbook" | "huggingface"} style @property {number} alpha
 *
 * @typedef {object} DecodeData
 * @property {"comparison" | "greedy" | "beam" | "sample" | "blanks"} [way]
 * @property {string} [problem] the reason why nothing can be decoded
 * @property {string} [coming] a sentence while the result is being computed
 * @property {string[]} [notes] @property {Comparison} [comparison] @property {DecodedText} [greedy]
 * @property {SearchTree} [beam] @property {SampledText[]} [sample] @property {Filling} [fill]
 * @property {boolean} [dropped] whether dropped branches are drawn
 *
 * @typedef {{id: number, before: string, text: string, bars: Distribution}} NodeDetail of the
 *   selected node: the text before its token and with it, and the distribution of the token
 *
 * @typedef {{type: "blank", at: number}
 *   | {type: "attention", id: number} | {type: "attention", step: number}
 *   | {type: "attention", sample: number, step: number}} DecodeAction
 * @typedef {(message: DecodeAction) => void} Send
 */
