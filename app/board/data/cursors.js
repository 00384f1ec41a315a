/** The current cells: the selected one, the one under the pointer, and the one with the focus. */

/** @import {Cell, CellOf, Operand} from "./types.js" */

/** @template {object} View a view of a matrix */
export class Cursors {
  constructor() {
    this.selection = /** @type {(CellOf & {operands: Operand[]}) | null} */ (null);
    this.pointed = /** @type {(Cell & {view: View}) | null} */ (null);
    this.focused = /** @type {View | null} */ (null);
  }

  /** @param {CellOf | null} cell */
  isSelected(cell) {
    const { selection } = this;
    return (
      selection !== null &&
      cell !== null &&
      selection.path === cell.path &&
      selection.i === cell.i &&
      selection.j === cell.j
    );
  }
}
