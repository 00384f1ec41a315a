/** Selects a cell: sends the selection to Python, and marks the cell wherever it is drawn. */

import { announce } from "../../components/shared/announce.js";

/**
 * @import {CellOf, Operand, Send} from "../data/types.js"
 * @import {Inputs} from "../inputs.js"
 * @import {Numbers} from "../numbers.js"
 */

/**
 * @typedef {Pick<Numbers, "store" | "cursors" | "painter"> & Pick<Inputs, "rings" | "status"> &
 *   {send: Send, onChange: () => void}} SelectionServices `onChange`: called after changes
 */

export class Selection {
  /** @param {SelectionServices} services */
  constructor(services) {
    this.services = services;
  }

  /**
   * Selects a cell. If it is not drawn yet, Python adds its matrix, then reports the selection.
   * @param {CellOf | null} cell @param {number} [press] the press of the pointer that drags it
   * @returns {Promise<number>} the page version that includes the selection
   */
  select(cell, press) {
    const { store, cursors, send } = this.services;
    // A second tap on the selected number reopens the inspector's sheet.
    if (cell && cursors.isSelected(cell)) announce("selected-again");
    if (!cell) this.mark(null);
    else if (store.isDrawn(cell.path, cell.i, cell.j)) this.mark({ ...cell, operands: [] });
    const by = press === undefined ? {} : { press };
    return send({ type: "select", ...(cell ?? { path: null, i: 0, j: 0 }), ...by });
  }

  /** @param {(CellOf & {operands: Operand[]}) | null} selection */
  mark(selection) {
    const { cursors, rings, status } = this.services;
    const old = cursors.selection;
    cursors.selection = selection;
    rings.show();
    for (const cell of [old, selection]) if (cell) this.materialize(cell);
    status.refresh();
    if (old === selection || cursors.isSelected(old)) return;
    this.services.onChange();
    announce("selection", selection && { path: selection.path, i: selection.i, j: selection.j });
  }

  /** Creates the cell's element for screen readers, wherever it is drawn. @param {CellOf} cell */
  materialize({ path, i, j }) {
    const { store, painter } = this.services;
    for (const [matrix] of store.parts(path, i, j, i, j))
      for (const view of painter.gridsOf(matrix)) view.materialize?.();
  }
}
