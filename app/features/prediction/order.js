/**
 * Chooses which words are listed. While numbers move, a listed word stays in its place; the words
 * are sorted when the numbers rest. While a number swings, the words are sorted by their largest
 * probabilities during the whole swing.
 */

/** @import {Words} from "./bar_list.js" */

/** A word replaces another if it is likelier by this much; with less, the list would flicker. */
const CLEARLY = 0.01;

/** @param {Words} words probability of each word */
export const inOrder = (words) => [...words].sort(([, p], [, q]) => q - p).map(([word]) => word);

/**
 * Returns the listed words, each in its place. The first word, which was the likeliest before the
 * change, always stays, so that a decrease is visible. A word that has become clearly likelier than
 * the least likely listed word replaces that word, as does the likeliest word of all. While a
 * word's bar is dragged, only the likeliest word is added.
 * @param {string[]} order @param {Words} now @param {number} top the number of listed words
 * @param {string} [dragged] the word whose bar is dragged
 */
export function keptOrder(order, now, top, dragged) {
  const listed = order.slice(0, top);
  const p = (/** @type {string} */ word) => now.get(word) ?? 0;
  const likeliest = inOrder(now).slice(0, top);
  for (const word of dragged === undefined ? likeliest : likeliest.slice(0, 1)) {
    if (listed.includes(word)) continue;
    if (listed.length < Math.min(top, likeliest.length)) {
      listed.push(word);
      continue;
    }
    const least = listed
      .slice(1)
      .filter((each) => each !== dragged)
      .reduce((a, b) => (p(b) < p(a) ? b : a));
    if (p(word) > p(least) + (word === likeliest[0] ? 0 : CLEARLY))
      listed[listed.indexOf(least)] = word;
  }
  return listed;
}

/**
 * Returns the listed words, where the named words replace the least likely ones.
 * @param {string[]} order @param {readonly string[]} named @param {Words} now
 * @param {number} top the number of listed words
 */
export function withNamed(order, named, now, top) {
  const listed = order.slice(0, top);
  const wanted = named.filter((word) => now.has(word));
  for (const word of wanted) {
    if (listed.includes(word)) continue;
    const at = listed.findLastIndex((each, k) => k > 0 && !wanted.includes(each));
    if (listed.length < top) listed.push(word);
    else if (at > 0) listed[at] = word;
  }
  return listed;
}
