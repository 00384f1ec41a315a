/**
 * Chooses which words are listed. While numbers move, a listed word stays in its place; they are
 * sorted when the numbers rest.
 */

/** @import {Words} from "./prediction.js" */

/** How much likelier a word must be to replace another one; less would flicker. */
const CLEARLY = 0.01;

/** @param {Words} words probability of each word */
export const inOrder = (words) => [...words].sort(([, p], [, q]) => q - p).map(([word]) => word);

/**
 * The listed words, each in its place; the first, which was the likeliest at rest, stays in any
 * case, so that one sees how far it falls. A word that has become clearly likelier than the least
 * likely of them takes that one's place, the likeliest of all in any case.
 * @param {string[]} order @param {Words} now @param {number} top how many words are listed
 * @param {boolean} [isDragged] whether the bar of a word is dragged, so that none may move
 */
export function keptOrder(order, now, top, isDragged = false) {
  const listed = order.slice(0, top);
  const p = (/** @type {string} */ word) => now.get(word) ?? 0;
  const likeliest = inOrder(now).slice(0, top);
  if (isDragged) return listed;
  for (const word of likeliest) {
    if (listed.includes(word)) continue;
    if (listed.length < Math.min(top, likeliest.length)) {
      listed.push(word);
      continue;
    }
    const least = listed.slice(1).reduce((a, b) => (p(b) < p(a) ? b : a));
    if (p(word) > p(least) + (word === likeliest[0] ? 0 : CLEARLY))
      listed[listed.indexOf(least)] = word;
  }
  return listed;
}
