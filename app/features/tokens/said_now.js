/** Finds the word that each row of the decoder would write now, from the numbers on the page. */

import { tokenText } from "../../components/shared/token_text.js";

/** @typedef {{word: string, p: number}} Said */

/**
 * Returns the likeliest word of a row, alone in a list.
 * @param {number} row @returns {(Said | null)[]}
 */
export const rowNow = (row) => [window.tinkerformer?.likeliest(row, 1)?.best.at(0) ?? null];

/**
 * Returns the likeliest word of each row; null for a row whose probabilities are not known.
 * @param {string[]} tokens the decoder's input, one token for each row
 * @returns {(Said | null)[] | null} null if the numbers on the page belong to other tokens
 */
export function saidNow(tokens) {
  const { tinkerformer } = window;
  if (!tinkerformer?.ready) return null;
  const rows = tokens.map((_, row) => tinkerformer.likeliest(row, 1));
  const known = rows[0]?.rows;
  const isOf = (/** @type {string} */ label, /** @type {string} */ token) =>
    label === tokenText(token) || label.startsWith(`${tokenText(token)} → `);
  if (known?.length !== tokens.length || !known.every((label, k) => isOf(label, tokens[k])))
    return null;
  return rows.map((row) => row?.best.at(0) ?? null);
}
