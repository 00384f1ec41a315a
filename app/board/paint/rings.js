/**
 * Rings around cells: the selected cell and its operands, the cell under the pointer, and the cell
 * with the focus. Rings are elements over the canvas, so that moving a ring repaints no cell.
 */

import { make } from "../../components/shared/dom.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {SelectionMessage} from "../data/messages.js"
 * @import {Cell, CellOf} from "../data/types.js"
 * @import {Painter} from "./painter.js"
 * @import {GridView} from "./view.js"
 */

/**
 * @typedef {[i: number, j: number, i2: number, j2: number]} Cells a rectangle, including its last
 *   row and column
 */

/** @param {CellOf} cell */
const nameOf = ({ path, i, j }) => `${path} ${i} ${j}`;

const LEAST = 16; // least size of a ring that must be visible at any zoom, CSS px

export class Rings {
  /** @param {MatrixStore} store @param {Painter} painter @param {Cursors<GridView>} cursors */
  constructor(store, painter, cursors) {
    this.store = store;
    this.painter = painter;
    this.cursors = cursors;
    this.hover = make("div", { class: "ring hover" });
    this.active = make("div", { class: "ring active" });
    /** @type {HTMLElement[]} */
    this.placed = [];
    /** @type {HTMLElement[]} */
    this.previewed = [];
    /** The cells around which a lesson draws rings. @type {[string,...Cells][]} */
    this.pointedOut = [];
    /** @type {HTMLElement[]} */
    this.marked = [];
    /** The numbers that caused the shown change. @type {readonly CellOf[]} */
    this.causes = [];
  }

  /** @param {readonly CellOf[]} causes the numbers that caused the shown change */
  spreadFrom(causes) {
    const isSame = String(causes.map(nameOf)) === String(this.causes.map(nameOf));
    this.causes = causes;
    if (!isSame) this.show();
  }

  /** @param {[path: string,...Cells][]} cells the cells that get rings instead of earlier cells */
  pointOut(cells) {
    this.pointedOut = cells;
    this.showPointedOut();
  }

  showPointedOut() {
    for (const ring of this.marked) ring.remove();
    this.marked = this.pointedOut.flatMap(([path, ...cells]) =>
      // A picture of links shows no rectangles, and a link is a single cell of its matrix.
      this.everywhere("ring pointed-out", path, cells, (view) => !("links" in view)),
    );
  }

  /** @param {HTMLElement} ring @param {GridView} view @param {Cells} cells */
  put(ring, view, cells) {
    if (!view.geometry) return;
    ring.hidden = Boolean(view.isFolded);
    const { x, y, width, height } = view.boxOf(...cells);
    // These rings must be visible at any zoom.
    const least = ring.matches(".selected, .led, .cause") ? LEAST : 0;
    const wide = Math.max(least, width);
    const tall = Math.max(least, height);
    ring.classList.toggle("is-far", wide > width);
    ring.style.transform = `translate(${x - (wide - width) / 2}px, ${y - (tall - height) / 2}px)`;
    ring.style.width = `${wide}px`;
    ring.style.height = `${tall}px`;
    if (ring.parentNode !== view.sheet) view.sheet.append(ring);
  }

  /**
   * @param {GridView | null} view @param {Cell | null} cell
   * @param {boolean} [isLed] whether another component points at the cell, not the pointer
   */
  point(view, cell, isLed = false) {
    this.hover.classList.toggle("led", isLed);
    if (!view || !cell) {
      this.hover.remove();
      return;
    }
    this.hover.classList.toggle("can-edit", Boolean(view.matrix.entry.editable));
    this.put(this.hover, view, [cell.i, cell.j, cell.i, cell.j]);
  }

  /** Whether another component points at the ringed cell, not the pointer. */
  get isLed() {
    return this.hover.isConnected && this.hover.classList.contains("led");
  }

  /** @param {GridView | null} view */
  focus(view) {
    if (!view?.matrix.cells) {
      this.active.remove();
      return;
    }
    const { i, j } = view.active;
    this.put(this.active, view, [i, j, i, j]);
  }

  /** Shows the rings of the selected cell, its operands and the causes, wherever they are drawn. */
  show() {
    for (const ring of this.placed) ring.remove();
    this.showPointedOut();
    const { selection } = this.cursors;
    this.placed = this.causes
      .filter((cell) => !this.cursors.isSelected(cell))
      .flatMap(({ path, i, j }) => this.everywhere("ring cause", path, [i, j, i, j]));
    if (!selection) return;
    const { path, i, j, operands } = selection;
    for (const [of, ...cells] of operands)
      this.placed.push(...this.everywhere("ring operand", of, cells));
    this.placed.push(...this.everywhere("ring selected", path, [i, j, i, j]));
  }

  /** Moves the rings after a layout. */
  placeAgain() {
    const { pointed, focused } = this.cursors;
    this.show();
    this.endPreview();
    if (focused) this.focus(focused);
    if (pointed) this.point(pointed.view, pointed, this.isLed);
  }

  /** Rings the operands of the cell under the pointer. @param {SelectionMessage} message */
  preview({ path, i, j, operands }) {
    this.endPreview();
    const { pointed } = this.cursors;
    const cell = pointed?.view.origin(pointed.i, pointed.j);
    if (path === null || cell?.path !== path || cell.i !== i || cell.j !== j) return;
    this.previewed = operands.flatMap(([of, ...cells]) =>
      this.everywhere("ring operand preview", of, cells),
    );
  }

  endPreview() {
    for (const ring of this.previewed) ring.remove();
    this.previewed = [];
  }

  /**
   * Places a ring in the matrix itself, and in each separate part of it.
   * @param {string} className @param {string} path @param {Cells} cells
   * @param {(view: GridView) => boolean} isWanted
   */
  everywhere(className, path, cells, isWanted = () => true) {
    const rings = [];
    for (const [matrix, i, j, i2, j2] of this.store.parts(path, ...cells)) {
      if (i2 >= matrix.rows || j2 >= matrix.cols) continue;
      for (const view of this.painter.gridsOf(matrix).filter(isWanted)) {
        const ring = make("div", { class: className });
        this.put(ring, view, [i, j, i2, j2]);
        rings.push(ring);
      }
    }
    return rings;
  }
}
