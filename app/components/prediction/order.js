/** Which words are listed: while numbers move, one that is listed stays in its place. */

/** @import {Words} from "./memory.js" */

/** So much likelier is a word that takes another one's place: less would flicker. */
const CLEARLY = 0.01;

/** @param {Words} words the likeliest first */
export const inOrder = (words) => [...words].sort(([, p], [, q]) => q - p).map(([word]) => word);

/**
 * The same places, but for words that have become likelier than the least of those listed: each
 * takes the place of one. The likeliest word of all is always among them.
 * @param {string[]} order @param {Words} now @param {number} top so many are listed
 */
export function keptOrder(order, now, top) {
  const listed = order.slice(0, top);
  const p = (/** @type {string} */ word) => now.get(word) ?? 0;
  const [best, ...others] = inOrder(now).slice(0, top);
  if (best === undefined) return listed;
  for (const word of [best, ...others]) {
    if (listed.includes(word)) continue;
    const least = listed.reduce((a, b) => (p(b) < p(a) ? b : a));
    if (p(word) > p(least) + (word === best ? 0 : CLEARLY)) listed[listed.indexOf(least)] = word;
  }
  return listed;
}
