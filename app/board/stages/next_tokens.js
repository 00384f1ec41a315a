/**
 * Finds the likeliest next words: from all probabilities if the browser has them, or else from the
 * list that Python sent.
 */

import { tokenText } from "../../components/shared/token_text.js";

/** @import {MatrixStore} from "../data/matrix_store.js" */

const PROBABILITIES_PATH = "output.probabilities";

/**
 * @typedef {object} Likeliest
 * @property {string[]} rows labels of the rows, after whose tokens the words follow
 * @property {number} of size of the vocabulary
 * @property {{word: string, p: number}[]} best in descending order
 */

/** Returns the matrix of all or the largest probabilities. @param {MatrixStore} store */
export function probabilitiesOf(store) {
  const index = store.manifest?.likeliest;
  return index === undefined ? store.matrices.get(PROBABILITIES_PATH) : store.byIndex[index];
}

/**
 * @param {MatrixStore} store @param {number} row @param {number} count
 * @returns {Likeliest | null} null if the page has no probabilities
 */
export function likeliestWords(store, row, count) {
  const index = store.manifest?.likeliest;
  const matrix = probabilitiesOf(store);
  if (!matrix) return null;
  const { rows, cols, values, entry } = matrix;
  /** @type {Likeliest["best"]} */
  const best = [];
  const found = { rows: entry.row_labels, of: entry.of ?? cols, best };
  const words = index === undefined ? entry.col_labels : entry.words?.[row];
  if (!values || !words || row >= rows) return found;
  for (let j = 0; j < cols; j++) {
    const p = values[row * cols + j];
    if (Number.isNaN(p)) continue; // hidden by the open question of a lesson
    // Keep a short sorted list instead of sorting hundreds of words.
    if (best.length === count && p <= best[count - 1].p) continue;
    let at = best.length;
    while (at > 0 && best[at - 1].p < p) at--;
    best.splice(at, 0, { word: entry.tokens?.[j] ?? words[j], p });
    if (best.length > count) best.pop();
  }
  return found;
}

/**
 * Returns the likeliest word after a row, as shown; empty if it is not known.
 * @param {MatrixStore} store @param {number} row
 */
export function writtenAt(store, row) {
  const best = likeliestWords(store, row, 1)?.best.at(0);
  return best ? tokenText(best.word) : "";
}

/**
 * Returns the next words after a row, sorted by their largest probability in an oscillation.
 * @param {MatrixStore} store @param {number} row
 * @returns {string[] | null} null while no number oscillates
 */
export function swingOrder(store, row) {
  const matrix = probabilitiesOf(store);
  const { entry, rows, cols, cells, frames } = matrix ?? {};
  if (!entry || !rows || !cols || !cells || !frames || row >= rows) return null;
  const words = store.manifest?.likeliest === undefined ? entry.col_labels : entry.words?.[row];
  if (!words) return null;
  const most = Array.from({ length: cols }, (_, j) => {
    let p = 0;
    for (let k = row * cols + j; k < frames.values.length; k += cells)
      if (frames.values[k] > p) p = frames.values[k];
    return { word: entry.tokens?.[j] ?? words[j], p };
  });
  return most.sort((a, b) => b.p - a.p).map(({ word }) => word);
}
