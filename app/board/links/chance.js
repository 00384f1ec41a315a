/** Decides whether a weight is large enough to say that a word looks at another one. */

const MORE = 0.5; // for very many words, a weight must exceed chance by this fraction

/**
 * Whether an attention weight is clearly larger than if the row attended to all words equally.
 * @param {number} weight @param {number} words number of unmasked words
 */
export const isAboveChance = (weight, words) =>
  weight >= (1 / words) * (1 + MORE * (1 - 1 / words));
