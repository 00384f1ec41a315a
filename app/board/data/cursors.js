/** The current cells: selected, under the pointer, and in the view with the focus. */

/** @import {Cell, CellOf, Lane, Operand} from "./types.js" */

/** @template {object} View a view of a matrix */
export class Cursors {
  constructor() {
    this.selection = /** @type {(CellOf & {operands: Operand[]}) | null} */ (null);
    this.pointed = /** @type {(Cell & {view: View}) | null} */ (null);
    this.focused = /** @type {View | null} */ (null);
  }

  /** @param {CellOf | null} cell */
  isSelected(cell) {
    return cell !== null && isSameCell(cell, this.selection);
  }
}

/** @param {CellOf | null} a @param {CellOf | null} b */
export const isSameCell = (a, b) => a?.path === b?.path && a?.i === b?.i && a?.j === b?.j;

/** @param {Lane | null} [a] @param {Lane | null} [b] */
export const isSameLane = (a, b) => a?.stack === b?.stack && a?.index === b?.index;
