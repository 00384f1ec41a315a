/**
 * What the lists of tokens are sent.
 *
 * @typedef {object} Choice a word chosen beside a list
 * @property {string} label
 * @property {string} value
 * @property {string[]} options empty if it is typed
 * @property {string} note
 *
 * @typedef {object} TokenList
 * @property {string} name
 * @property {string} label
 * @property {string[]} tokens
 * @property {number} limit of their number
 * @property {number} longest of their lengths
 * @property {"word" | "character"} unit
 * @property {string[]} known the tokens there are; empty if any will do
 * @property {string} error a sentence shown under it
 * @property {string} note
 * @property {boolean} hidden
 * @property {Choice | null} choice
 * @property {string} sequence the ids of the whole list, padding included, in words
 * @property {number[]} ids the row of each token in its table
 * @property {string[]} unlearned tokens whose row the seed drew, not training
 * @property {boolean} writes whether the model writes them itself
 * @property {boolean} can_write whether it could
 * @property {string} end by which a model says that what it writes is over; empty if it has none
 * @property {string} verdict whether its words are right, ✓ or ✗ first; empty if nobody knows
 * @property {string} another what a button says that puts another text there; empty if none does
 *
 * @typedef {[words: string[], probabilities: (number | null)[], verdict: string,
 *   end: number | null]} Frame
 *
 * @typedef {object} Sureness of the words that the model writes
 * @property {(number | null)[]} probabilities of each; null where it was given
 * @property {boolean[]} changed whether each is another one than before the last edit
 * @property {number | null} end the probability of the end after them; null if it is not there
 *
 * @typedef {Sureness & {tokens: string[], verdict: string}} Written words while a number swings
 *
 * @typedef {object} Said
 * @property {TokenList} now always the server's latest
 * @property {Sureness} written of what the model writes; nothing, if it does not
 * @property {(tokens: string[]) => Promise<unknown>} send fails with the sentence that says why the
 *   list is not taken
 * @property {(word: string) => void} choose
 * @property {boolean} locked whether tokens can be followed alone
 * @property {(at: number) => void} look at a written word
 * @property {() => void} another put another text there
 * @property {(on: boolean) => void} write whether the model is to write itself
 *
 * @typedef {Said & {refuse: (sentence: string) => void}} Source `refuse` says under the list why
 *   what was sent was not taken; nothing, if it was
 */
