/** Computes the number of letters that a line of words must fit. */

import { isSpecial } from "./token_text.js";

/** @import {TokenList} from "./types.js" */

/** The relative widths of the lists in a line; the words of a list must fit into its width. */
export const SHARES = /** @type {Record<string, number>} */ ({
  source: 2,
  target: 3,
  predicted: 2,
});
/** The word size changes only in steps of this many letters, so that it rarely changes. */
const LETTERS = 8;
// The width of the space around a word and around a character, in letters as wide as a digit.
const SLOT = { word: 1.8, character: 2.3 };
const SPECIAL = 0.6; // the size of special tokens relative to words

/**
 * Returns the number of letters that a line must fit; the style sheet sets their size accordingly.
 * @param {TokenList[]} lists @returns {number}
 */
export function lettersOf(lists) {
  const shown = lists.filter(({ hidden }) => !hidden);
  const all = sum(shown.map(({ name }) => SHARES[name] ?? 1));
  const needed = shown.map(({ name, tokens, writes, end, unit }) => {
    const letters = (writes ? [...tokens, end] : tokens).map(
      (token) => SLOT[unit] + Math.max(1, token.length) * (isSpecial(token) ? SPECIAL : 1),
    );
    return (sum(letters) * all) / (SHARES[name] ?? 1);
  });
  return LETTERS * Math.ceil(Math.max(0, ...needed) / LETTERS);
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
