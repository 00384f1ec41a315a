/**
 * The data that Python sends for the decoding methods; see `decoding/`.
 * @typedef {object} BarRow a word of a distribution
 * @property {string} word @property {number} p @property {boolean} chosen
 * @property {number} [q] its probability after filtering
 * @property {boolean} [cut]
 *
 * @typedef {{count: number, p: number, q?: number, cut?: number}} Others all other words; filtering
 *   removed `cut` of them
 * @typedef {{rows: BarRow[], others: Others}} Distribution the likeliest words, in descending order
 *
 * @typedef {object} DecodedText a text, step by step
 * @property {string[]} given the tokens before the first step
 * @property {string} opening the text before it
 * @property {number[]} ids of the written tokens
 * @property {string[]} tokens
 * @property {string[]} texts the text after each step
 * @property {Distribution[]} steps @property {boolean} finished @property {number} log_probability
 *
 * @typedef {DecodedText & {seed: number, temperature: number}} SampledText
 *
 * @typedef {{given: string, word: string, p: number, is_right: boolean | null}} Prediction a
 *   prediction at one position; `is_right` is null if there is no right answer
 * @typedef {{right: string | null, forced: Prediction | null, free: Prediction | null}} Position
 *
 * @typedef {object} Comparison
 * @property {"data" | "model" | "reader"} right_of whose words count as right
 * @property {Position[]} rows
 * @property {number} of number of predictions
 * @property {number} forced how many are right when given the right tokens
 * @property {number} free how many are right when given the model's own tokens
 * @property {number | null} first index of the first wrong one in inference
 * @property {boolean} finished
 *
 * @typedef {object} FilledPosition a position of an encoder-only model's text
 * @property {string} token
 * @property {string} word the likeliest word there
 * @property {number} p of the word
 * @property {number | null} turn of a blank, in the order of filling
 * @property {Distribution} bars
 *
 * @typedef {object} Filling
 * @property {FilledPosition[]} rows
 * @property {string} text with its blanks filled
 * @property {number} opens the position to show first
 * @property {boolean} can_blank whether the vocabulary has a blank
 * @property {string[]} notes
 *
 * @typedef {"open" | "dropped" | "finished"} Status of a node
 *
 * @typedef {object} TreeNode
 * @property {number} id @property {number | null} parent @property {string} token
 * @property {number} step its column
 * @property {number} row
 * @property {number} rank among all candidates of its step
 * @property {number} p of the token
 * @property {number} own log p of the token
 * @property {number} total log P of the path
 * @property {number} penalty for the length
 * @property {number} score @property {Status} status
 * @property {boolean} best whether it is on the path of the best hypothesis
 *
 * @typedef {{id: number, text: string, finished: boolean}} Hypothesis
 *
 * @typedef {object} SearchTree
 * @property {string[]} given the tokens before the first step
 * @property {TreeNode[]} nodes in order of step and rank
 * @property {Hypothesis[]} hypotheses best first
 * @property {number} rows that the kept branches take
 * @property {"nothing open" | "nothing better" | "enough" | "limit"} stop why the search ended
 * @property {"textbook" | "huggingface"} style @property {number} alpha
 *
 * @typedef {object} DecodeData
 * @property {"comparison" | "greedy" | "beam" | "sample" | "blanks"} [way]
 * @property {string} [problem] why nothing can be decoded
 * @property {string} [coming] a sentence while it is being computed
 * @property {string[]} [notes] @property {Comparison} [comparison] @property {DecodedText} [greedy]
 * @property {SearchTree} [beam] @property {SampledText[]} [sample] @property {Filling} [fill]
 * @property {boolean} [dropped] whether dropped branches are drawn
 *
 * @typedef {{id: number, before: string, text: string, bars: Distribution}} NodeDetail of the
 *   selected node: the text before its token and with it, and the distribution of the token
 *
 * @typedef {{type: "blank", at: number} | {type: "select", id: number}
 *   | {type: "attention", id: number} | {type: "attention", step: number}
 *   | {type: "attention", sample: number, step: number}} DecodeAction
 * @typedef {(message: DecodeAction) => void} Send
 */
