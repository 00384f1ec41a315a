/**
 * Chooses which words are listed. While numbers move, a listed word stays in its place; only the
 * likeliest one comes to the first.
 */

/** @import {Words} from "./memory.js" */

/** How much likelier a word must be to replace another one; less would flicker. */
const CLEARLY = 0.01;

/** @param {Words} words probability of each word */
export const inOrder = (words) => [...words].sort(([, p], [, q]) => q - p).map(([word]) => word);

/**
 * Keeps the order, but a word that has become likelier than the least likely listed word takes its
 * place, and the likeliest word of all stands first.
 * @param {string[]} order @param {Words} now @param {number} top how many words are listed
 * @param {boolean} [isDragged] whether the bar of a word is dragged, so that none may move
 */
export function keptOrder(order, now, top, isDragged = false) {
  const listed = order.slice(0, top);
  const p = (/** @type {string} */ word) => now.get(word) ?? 0;
  const [best, ...others] = inOrder(now).slice(0, top);
  if (best === undefined || isDragged) return listed;
  for (const word of [best, ...others]) {
    if (listed.includes(word)) continue;
    const least = listed.reduce((a, b) => (p(b) < p(a) ? b : a));
    if (p(word) > p(least) + (word === best ? 0 : CLEARLY)) listed[listed.indexOf(least)] = word;
  }
  return [best, ...listed.filter((word) => word !== best)].slice(0, top);
}
