/** What a sentence becomes, in few words and with nothing left out. */

/** @import {NumberRow} from "./number_list.js" */

/** Words before a place that name it. */
const BEFORE = 2;
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
    if (end > at) say(isAdded ? "then: " : `${after(sentence, at)}: `, sentence.slice(at, end));
    at = Math.max(end, at + 1);
  }
  if (sentence.length < length)
    news.push([`${news.length ? "; " : ""}it ends ${after(sentence, sentence.length)}`, false]);
  // Where most of it is new, its places would be longer than the sentence.
  return news.length && lengthOf(news) < lengthOf(whole) ? news : whole;
}

/** @param {[string, boolean][]} parts */
const lengthOf = (parts) => parts.reduce((sum, [text]) => sum + text.length, 0);

/**
 * A place by the words before it: numbers would be others than those of the positions.
 * @param {string[]} sentence @param {number} at
 */
const after = (sentence, at) =>
  at ? `after “${sentence.slice(Math.max(0, at - BEFORE), at).join(" ")}”` : "at the start";
