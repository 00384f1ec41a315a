/** What a sentence becomes, in few words and with nothing left out. */

/** @import {NumberRow} from "./number_list.js" */

/** Letters up to which a sentence is said whole. */
const LONG = 44;

/**
 * The sentence, or only what is new in it and where, if it is long; each part with whether it is
 * new.
 * @param {Pick<NumberRow, "sentence" | "changed" | "length">} row
 * @returns {[text: string, isNew: boolean][]}
 */
export function becomes({ sentence, changed, length }) {
  /** @type {[string, boolean][]} */
  const whole = sentence.flatMap((word, at) => [
    [at ? " " : "", false],
    [word, Boolean(changed[at])],
  ]);
  if (lengthOf(whole) <= LONG) return whole;
  const news = /** @type {[string, boolean][]} */ ([]);
  const say = (/** @type {string} */ where, /** @type {string[]} */ words) =>
    news.push([`${news.length ? "; " : ""}${where}`, false], [words.join(" "), true]);
  let at = 0;
  while (at < sentence.length) {
    const isAdded = at >= length;
    let end = at;
    while (end < sentence.length && changed[end] && end >= length === isAdded) end++;
    const place = ordinal(at + 1);
    if (end === at + 1)
      say(isAdded ? `then ${article(at + 1)} ${place}: ` : `${place} word: `, [sentence[at]]);
    else if (end > at)
      say(`${isAdded ? "then " : ""}from the ${place} word on: `, sentence.slice(at, end));
    at = Math.max(end, at + 1);
  }
  if (sentence.length < length)
    news.push([
      `${news.length ? "; " : ""}it ends after the ${ordinal(sentence.length)} word`,
      false,
    ]);
  // Where most of it is new, its places would be longer than the sentence.
  return news.length && lengthOf(news) < lengthOf(whole) ? news : whole;
}

/** @param {[string, boolean][]} parts */
const lengthOf = (parts) => parts.reduce((sum, [text]) => sum + text.length, 0);

/** @param {number} n 1, 2, … */
function ordinal(n) {
  const isTeen = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!isTeen && ["", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** @param {number} n of an ordinal */
const article = (n) => (n === 8 || n === 11 || n === 18 || (n > 79 && n < 90) ? "an" : "a");
