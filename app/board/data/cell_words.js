/** Names a cell by its row and column, for the read-out and screen readers. */

/** @import {MatrixEntry} from "./types.js" */

/**
 * For example "row le (position 1, id 2), column d3".
 * @param {MatrixEntry} entry @param {number} i @param {number} j
 */
export function cellWords({ row_labels, col_labels, row_names, col_names }, i, j) {
  const row = row_names?.[i] ?? (row_labels[i] || "∅");
  const column = col_names?.[j] ?? (col_labels[j] || "∅");
  return `row ${row}, column ${column}`;
}

/** For example "le · d3". @param {MatrixEntry} entry @param {number} i @param {number} j */
export const cellLabels = ({ row_labels, col_labels }, i, j) =>
  `${row_labels[i] || "∅"} · ${col_labels[j] || "∅"}`;
