/** Describes the operands of a cell, for users who do not see the rings around them. */

/**
 * @import {MatrixEntry, Operand} from "./types.js"
 * @import {MatrixStore} from "./matrix_store.js"
 */

/**
 * Returns, for example, "computed from X, row the (position 0, id 0), and W_Q head 1, column k0".
 * @param {MatrixStore} store @param {readonly Operand[]} operands
 * @returns {string} empty if no operand is drawn
 */
export function operandWords(store, operands) {
  const names = operands.flatMap(([path, i, j, i2, j2]) => {
    const place = store.cell(path, i, j);
    if (!place) return [];
    const { name, entry } = place.matrix;
    const cells = linesOf(entry, place.i, place.j, i2 - i, j2 - j);
    return [cells ? `${name}, ${cells}` : name];
  });
  if (!names.length) return "";
  const last = names.length > 1 ? `, and ${names.at(-1)}` : "";
  return `computed from ${names.slice(0, names.length > 1 ? -1 : 1).join("; ")}${last}`;
}

/**
 * @param {MatrixEntry} entry @param {number} i @param {number} j
 * @param {number} down @param {number} across the number of further rows and columns
 */
function linesOf({ row_labels, col_labels, row_names, col_names }, i, j, down, across) {
  const row = down ? "" : `row ${row_names?.[i] ?? (row_labels[i] || "∅")}`;
  const column = across ? "" : `column ${col_names?.[j] ?? (col_labels[j] || "∅")}`;
  return [row, column].filter(Boolean).join(", ");
}
