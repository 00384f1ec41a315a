/** Describes a cell by its row and column, for the read-out and screen readers. */

import { COVERED, COVERED_WORDS } from "./flags.js";

/**
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Matrix} from "./matrix.js"
 * @import {MatrixEntry} from "./types.js"
 */

/**
 * Returns, for example, "row le (position 1, id 2), column d3".
 * @param {MatrixEntry} entry @param {number} i @param {number} j
 */
export function cellWords({ row_labels, col_labels, row_names, col_names }, i, j) {
  const row = row_names?.[i] ?? (row_labels[i] || "∅");
  const column = col_names?.[j] ?? (col_labels[j] || "∅");
  return `row ${row}, column ${column}`;
}

/**
 * Returns, for example, "W^Q head 1, row d3, column k1: −4.1e-1".
 * @param {Matrix} matrix @param {Appearance} appearance @param {number} i @param {number} j
 */
export function spokenCell({ entry, values, gradients, flags, cols, name }, appearance, i, j) {
  const at = i * cols + j;
  const cell = `${name}, ${cellWords(entry, i, j)}`;
  if (flags?.[at] === COVERED) return `${cell}: ${COVERED_WORDS}`;
  const value = values ? `: ${appearance.spokenNumber(values[at])}` : "";
  const second =
    appearance.hasSecond && gradients ? `, ${appearance.secondText(gradients[at])}` : "";
  return `${cell}${value}${second}`;
}

/** Returns, e.g., "le · d3". @param {MatrixEntry} entry @param {number} i @param {number} j */
export const cellLabels = ({ row_labels, col_labels }, i, j) =>
  `${row_labels[i] || "∅"} · ${col_labels[j] || "∅"}`;
