/**
 * Declares the data that Python sends to the token lists.
 * @typedef {object} Choice a word to choose beside a list
 * @property {string} label @property {string} value
 * @property {string[]} options empty if the word is typed
 * @property {string} note
 *
 * @typedef {object} TokenList
 * @property {string} name @property {string} label @property {string[]} tokens
 * @property {number} limit the most tokens
 * @property {number} longest the most characters of a token
 * @property {"word" | "character"} unit
 * @property {string[]} known the vocabulary; empty if any token is allowed
 * @property {string} error a sentence shown below the list
 * @property {string} note @property {boolean} hidden @property {Choice | null} choice
 * @property {string} sequence the ids of the whole list, padding included, in words
 * @property {number[]} ids the row of each token in the embedding table
 * @property {string[]} unlearned tokens whose embedding is still random
 * @property {boolean} writes whether the model writes the tokens itself
 * @property {number | null} row of the output, if the list has only its likeliest word; else null
 * @property {boolean} can_write whether the model could write the tokens
 * @property {string} end the model's end token; empty if it has none
 * @property {string} verdict whether the words are right, beginning with ✓ or ✗; empty if unknown
 * @property {string} unjudged a note that no right words are known; empty if they are known, or if
 *   the question does not apply
 * @property {string} unjudged_why the reason for the note
 * @property {string} in_full the right words, if the words are wrong
 * @property {string} restores the label of the button that undoes manual changes if the words are
 *   wrong; empty if there is no button
 * @property {string} another the label of the button for a new text; empty if there is no button
 *
 * @property {string} title the heading, which names the use of the list; empty for the label
 * @property {string} tip what the heading means
 * @property {boolean} can_follow whether its words can be followed
 * @property {boolean} is_learned whether the model has learned the words of its vocabulary
 * @property {boolean} is_closed whether no other words can be typed
 * @property {"" | "dragged" | "swings" | "trains" | "tries" | "dropout"} moves why the model may
 *   now write other words than these; empty if there is no reason
 *
 * @typedef {[kind: string, words: string[]][]} Words to choose from
 *
 * @typedef {object} Marks positions of highlighted words; null for none
 * @property {number | null} focus
 * @property {boolean} followed whether the word in focus is followed; otherwise the followed word
 *   attends to it most
 * @property {number | null} asked the word whose alternatives are shown
 *
 * @typedef {object} Sureness the model's confidence in the words that it writes
 * @property {(number | null)[]} probabilities of each word; null if it was given
 * @property {boolean[]} changed whether each word changed with the last edit
 * @property {number | null} end probability of the end token after the words; null for no end token
 * @property {string} would the sentence that would be written if the dragged number were released;
 *   empty if unknown
 *
 * @typedef {object} TokenListAccess
 * @property {TokenList} now the latest from Python
 * @property {Sureness} written about the model's words; empty if the model does not write
 * @property {(tokens: string[]) => Promise<unknown>} send rejects with a sentence if the list is
 *   not accepted
 * @property {(word: string) => void} choose
 * @property {Words} words to choose from; empty if they are too many
 * @property {Marks} marks
 * @property {boolean} locked whether the list cannot be edited
 * @property {(at: number) => void} look selects a written word's position
 * @property {() => void} another requests a new text
 * @property {() => void} restore undoes manual changes
 * @property {(on: boolean) => void} write switches whether the model writes the list
 * @property {boolean} numbers whether the id and probability are shown below every word
 *
 * @typedef {object} Sentences
 * @property {(sentence: string) => void} refuse shows why the last message was rejected; an empty
 *   string clears it
 * @property {(sentence: string, chip: Element) => void} tell shows a sentence under a word until
 *   the next press
 * @property {() => void} hush hides that sentence
 *
 * @typedef {TokenListAccess & Sentences} Source
 */
