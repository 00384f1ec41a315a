/** Decides whether a weight is large enough to state that a word looks at another word. */

const MORE = 0.5; // fraction by which a weight must exceed chance among very many words

/**
 * Whether an attention weight is clearly larger than the weight in a row with equal weights.
 * @param {number} weight @param {number} words number of unmasked words
 */
export const isAboveChance = (weight, words) =>
  weight >= (1 / words) * (1 + MORE * (1 - 1 / words));
