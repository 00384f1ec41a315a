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
 *
 * @typedef {object} Source
 * @property {TokenList} now always the server's latest
 * @property {(tokens: string[]) => void} send
 * @property {(word: string) => void} choose
 */
