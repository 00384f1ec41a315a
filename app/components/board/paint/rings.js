/**
 * Frames round cells: selected, under the pointer, active for the keyboard, and the operands of the selected one. They
 * are elements over the canvas, so that moving one repaints no cell.
 */

import { make } from "../../shared/dom.js";

export class Rings {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.hover = make("div", { class: "ring hover" });
    this.active = make("div", { class: "ring active" });
    /** @type {HTMLElement[]} */
    this.placed = [];
  }

  /** @param {HTMLElement} ring @param {MatrixView} view @param {number[]} cells i, j and, of a rectangle, the last i, j */
  put(ring, view, ...cells) {
    if (!view.geometry) return;
    const box = view.boxOf(...cells);
    ring.style.transform = `translate(${box.x}px, ${box.y}px)`;
    ring.style.width = `${box.width}px`;
    ring.style.height = `${box.height}px`;
    if (ring.parentNode !== view.sheet) view.sheet.append(ring);
  }

  point(view, cell) {
    if (!view || !cell) {
      this.hover.remove();
      return;
    }
    this.hover.classList.toggle("can-edit", Boolean(view.matrix.entry.editable));
    this.put(this.hover, view, cell.i, cell.j);
  }

  focus(view) {
    if (view && view.matrix.cells) this.put(this.active, view, view.active.i, view.active.j);
    else this.active.remove();
  }

  /** All rings of the selection, everywhere its matrices stand. Also after a new layout. */
  show() {
    for (const ring of this.placed) ring.remove();
    this.placed = [];
    const { selection, matrices } = this.board;
    if (selection) {
      for (const [path, ...cells] of selection.operands || [])
        this.everywhere("ring operand", path, cells);
      this.everywhere("ring selected", selection.path, [selection.i, selection.j]);
    }
  }

  /** In the matrix itself, and where a part of it stands by itself. */
  everywhere(className, path, cells) {
    const [i, j, i2 = i, j2 = j] = cells;
    for (const [matrix, ...part] of this.board.windows.parts(path, i, j, i2, j2))
      this.all(className, matrix, part);
  }

  /** What the cell under the pointer was made from, while it is there. */
  preview({ path, i, j, operands }) {
    for (const ring of this.previewed || []) ring.remove();
    this.previewed = [];
    const pointed = this.board.pointed;
    if (!path || pointed?.view.origin(pointed.i, pointed.j).join() !== [path, i, j].join()) return;
    const placed = this.placed;
    this.placed = this.previewed;
    for (const [of, ...cells] of operands) this.everywhere("ring operand preview", of, cells);
    this.placed = placed;
  }

  all(className, matrix, cells) {
    if (!matrix) return;
    const [i, j, i2 = i, j2 = j] = cells;
    if (i2 >= matrix.rows || j2 >= matrix.cols) return;
    for (const view of matrix.views) {
      const ring = make("div", { class: className });
      this.put(ring, view, i, j, i2, j2);
      this.placed.push(ring);
    }
  }
}
