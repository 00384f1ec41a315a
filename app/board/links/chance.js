/** When a weight says that a word looks at another one. */

const MORE = 0.5; // share of itself by which a weight exceeds chance, of very many words

/**
 * Whether an attention weight is clearly larger than if all words were looked at equally.
 * @param {number} weight @param {number} words that may be looked at
 */
export const isAboveChance = (weight, words) =>
  weight >= (1 / words) * (1 + MORE * (1 - 1 / words));
