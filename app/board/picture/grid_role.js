/**
 * Exposes all matrices of the picture as one ARIA grid: finds the matrix under a pointer, keeps the
 * keyboard position, and brings its cell into sight and announces it.
 */

import { make, setText } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { arrowTarget } from "./arrow_target.js";
import { Tile } from "./tile.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {Hit} from "../input/grid.js"
 * @import {GridView} from "../paint/view.js"
 * @import {Drawing} from "./drawing.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const READABLE = 14; // width in CSS px of a very small cell after zooming in
const EDGE = 8; // CSS px at the edges of the view where a cell does not count as in sight

export class GridRole {
  /**
   * @param {HTMLCanvasElement} canvas @param {Viewpoint} viewpoint
   * @param {Cursors<GridView>} cursors
   * @param {(el: Element) => Hit | null} standIn the cell that an overlay element represents
   */
  constructor(canvas, viewpoint, cursors, standIn) {
    this.standIn = standIn;
    this.viewpoint = viewpoint;
    this.cursors = cursors;
    this.drawing = /** @type {Drawing | null} */ (null);
    this.current = /** @type {GridView | null} */ (null); // the grid with the keyboard position
    /** The grid of the cell last reached by keyboard or from a text, until deselected. */
    this.reached = /** @type {GridView | null} */ (null);
    this.cell = make("div", { class: "unseen", role: "gridcell", id: "whole-cell" });
    this.row = make("div", { class: "unseen", role: "row" }, this.cell);
    this.overlay = make("div", { class: "overlay" });
    this.grid = drawn(
      () => html`<div class="picture" role="grid" tabindex="0"
        aria-label="The whole model: every token a lane, every number a cell"
        aria-describedby="grid-help" aria-activedescendant="whole-cell"
        >${canvas}${this.overlay}${this.row}</div>`,
    ).node;
  }

  /** Keeps the keyboard position, if its matrix is drawn again. @param {Drawing | null} drawing */
  show(drawing) {
    const { current } = this;
    this.drawing = drawing;
    const again = this.grids.find(
      ({ kind, matrix }) => kind === current?.kind && matrix.path === current.matrix.path,
    );
    if (!current || !again) return;
    again.active = { ...current.active };
    this.current = again;
  }

  get grids() {
    return this.drawing?.grids ?? [];
  }

  /**
   * The grid with the keyboard position: the last focused one, or the first in sight.
   * @returns {GridView | undefined}
   */
  get active() {
    const { current, drawing } = this;
    return current && this.grids.includes(current) ? current : drawing?.cells.at(0);
  }

  /** @param {number} clientX @param {number} clientY */
  gridAt(clientX, clientY) {
    return this.drawing?.gridAt(clientX, clientY) ?? null;
  }

  /**
   * The nearest cell of another matrix in a direction.
   * @param {GridView} from @param {number} dy @param {number} dx
   */
  beyond(from, dy, dx) {
    return arrowTarget(this.drawing?.cells ?? [], from, dy, dx);
  }

  /** Brings a cell into sight. @param {GridView} grid @param {number} i @param {number} j */
  reveal(grid, i, j) {
    this.current = this.reached = grid;
    this.viewpoint.refold();
    const box = grid.boxOf(i, j);
    const { view, covered, camera, isFitted } = this.viewpoint;
    const { width, height } = view;
    if (grid instanceof Tile && grid.isFolded) {
      if (isFitted) return; // the refit shows it
      const near = Math.max(camera.zoom, camera.folds.opens);
      this.viewpoint.center(this.middleOf(grid, i, j), near);
      return;
    }
    const isIn =
      box.x >= Math.max(EDGE, covered.left) &&
      box.y >= Math.max(EDGE, covered.top) &&
      box.x + box.width <= width - EDGE &&
      box.y + box.height <= height - EDGE;
    if (!isIn) this.viewpoint.center(this.middleOf(grid, i, j));
  }

  /**
   * Brings a cell into sight, and zooms in if it is very small.
   * @param {GridView} grid @param {number} i @param {number} j
   */
  bring(grid, i, j) {
    const { width } = grid.boxOf(i, j);
    const { viewpoint } = this;
    if (grid instanceof Tile && width < 2)
      viewpoint.center(this.middleOf(grid, i, j), (viewpoint.camera.zoom * READABLE) / width);
    this.reveal(grid, i, j);
  }

  /**
   * The middle of a cell, in units of the picture.
   * @param {GridView} grid @param {number} i @param {number} j
   */
  middleOf(grid, i, j) {
    if (grid instanceof Tile) {
      const { place } = grid;
      return { x: place.x + (j + 0.5) * place.cell, y: place.y + (i + 0.5) * place.height };
    }
    const { x, y, width, height } = grid.boxOf(i, j);
    return this.viewpoint.pointIn(x + width / 2, y + height / 2);
  }

  /** @param {GridView} grid */
  materialize(grid) {
    if (grid !== this.active) return; // one cell element serves all grids
    const { i, j } = grid.active;
    this.row.setAttribute("aria-rowindex", String(i + 1));
    this.cell.setAttribute("aria-colindex", String(j + 1));
    const isSelected = this.cursors.isSelected(grid.origin(i, j));
    this.cell.setAttribute("aria-selected", String(isSelected));
    setText(this.cell, grid.sentence(i, j));
  }
}
