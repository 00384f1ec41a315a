/** Probabilities as a softmax of the logits divided by a temperature would give them. */

/**
 * softmax(logits / T), from softmax(logits): p^(1/T), normalized. At 0 the likeliest is certain.
 * @param {Map<string, number>} probabilities of all words there are
 * @param {number} temperature from 0
 * @returns {Map<string, number>}
 */
export function atTemperature(probabilities, temperature) {
  if (temperature === 1) return probabilities;
  const most = Math.max(...probabilities.values());
  // Relative to the largest, so that no power of a small number vanishes before it is normalized.
  const powers = [...probabilities].map(([word, p]) => {
    const power = temperature === 0 ? Number(p === most) : (p / most) ** (1 / temperature);
    return /** @type {const} */ ([word, power]);
  });
  const sum = powers.reduce((total, [, power]) => total + power, 0);
  return new Map(powers.map(([word, power]) => [word, power / sum]));
}
