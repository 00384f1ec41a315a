/** Applies a temperature to probabilities. */

/**
 * Returns softmax(logits / T) from softmax(logits), as p^(1/T) normalized. At T = 0 the likeliest
 * word has probability 1.
 * @param {Map<string, number>} probabilities of all words
 * @param {number} temperature at least 0
 * @returns {Map<string, number>}
 */
export function atTemperature(probabilities, temperature) {
  if (temperature === 1) return probabilities;
  const most = Math.max(...probabilities.values());
  // Relative to the largest, so that powers of small numbers do not underflow before normalizing.
  const powers = [...probabilities].map(([word, p]) => {
    const power = temperature === 0 ? Number(p === most) : (p / most) ** (1 / temperature);
    return /** @type {const} */ ([word, power]);
  });
  const sum = powers.reduce((total, [, power]) => total + power, 0);
  return new Map(powers.map(([word, power]) => [word, power / sum]));
}
