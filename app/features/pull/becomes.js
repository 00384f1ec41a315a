/** Summarizes the new sentence briefly and completely. */

/** @import {NumberRow} from "./number_list.js" */

/** The number of words that identify a position. */
const BEFORE = 2;
/** Sentences up to this many letters are shown whole. */
const LONG = 44;

/**
 * Returns the sentence; for a long sentence, only the new parts with their positions. Each part has
 * a flag that is true for new text.
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
  // If most words are new, the summary would be longer than the sentence.
  return news.length && lengthOf(news) < lengthOf(whole) ? news : whole;
}

/** @param {[string, boolean][]} parts */
const lengthOf = (parts) => parts.reduce((sum, [text]) => sum + text.length, 0);

/** Names a position by the words before it. @param {string[]} sentence @param {number} at */
const after = (sentence, at) =>
  at ? `after “${sentence.slice(Math.max(0, at - BEFORE), at).join(" ")}”` : "at the start";
