/**
 * What Python sends to the token lists.
 * @typedef {object} Choice a word to choose beside a list
 * @property {string} label
 * @property {string} value
 * @property {string[]} options empty if it is typed
 * @property {string} note
 *
 * @typedef {object} TokenList
 * @property {string} name
 * @property {string} label
 * @property {string[]} tokens
 * @property {number} limit the most tokens
 * @property {number} longest the most characters of a token
 * @property {"word" | "character"} unit
 * @property {string[]} known the vocabulary; empty if any token is allowed
 * @property {string} error a sentence shown under it
 * @property {string} note
 * @property {boolean} hidden
 * @property {Choice | null} choice
 * @property {string} sequence the ids of the whole list, padding included, in words
 * @property {number[]} ids the row of each token in the embedding table
 * @property {string[]} unlearned tokens whose embedding is still random
 * @property {boolean} writes whether the model writes them itself
 * @property {boolean} can_write whether the model could write them
 * @property {string} end the model's end token; empty if it has none
 * @property {string} verdict whether its words are right, beginning with ✓ or ✗; empty if unknown
 * @property {string} another label of the button for another text; empty if there is none
 *
 * @typedef {[words: string[], probabilities: (number | null)[], verdict: string, end: number |
 *   null]} Frame
 *
 * @typedef {object} Sureness how sure the model is of the words that it writes
 * @property {(number | null)[]} probabilities of each word; null if it was given
 * @property {boolean[]} changed whether each word changed with the last edit
 * @property {number | null} end probability of the end token after them; null if there is none
 *
 * @typedef {Sureness & {tokens: string[], verdict: string}} Written words while a number oscillates
 *
 * @typedef {object} TokenListAccess
 * @property {TokenList} now the latest from Python
 * @property {Sureness} written about the model's words; empty if it does not write
 * @property {(tokens: string[]) => Promise<unknown>} send rejects with a sentence if the list is
 *   not accepted
 * @property {(word: string) => void} choose
 * @property {boolean} locked whether the list cannot be edited
 * @property {(at: number) => void} look selects a written word's position
 * @property {() => void} another asks for another text
 * @property {(on: boolean) => void} write switches whether the model writes the list
 *
 * @typedef {TokenListAccess & {refuse: (sentence: string) => void}} Source `refuse` shows why the
 *   last message was rejected; an empty string clears it
 */
