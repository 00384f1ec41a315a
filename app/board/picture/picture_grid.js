/** Base class of the grids of the whole picture, whose cells are drawn as cells or as links. */

import { spokenCell } from "../data/cell_words.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Cell, Send} from "../data/types.js"
 * @import {GridServices} from "../paint/overview.js"
 * @import {GridView} from "../paint/view.js"
 * @import {PictureCanvas} from "./picture_canvas.js"
 * @import {GridRole} from "./grid_role.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

/**
 * @typedef {GridServices & {store: MatrixStore, send: Send, isLocked: () => boolean}} WholeServices
 *
 * @typedef {object} PictureServices the services for everything drawn in the picture
 * @property {HTMLElement} el
 * @property {WholeServices} services
 * @property {Viewpoint} viewpoint
 * @property {PictureCanvas} canvas
 * @property {GridRole} shared
 * @property {(view: PictureGrid, cell: Cell | null) => void} point called when a cell is pointed at
 * @property {() => number | null} headAlone the only head whose links are shown; null: all are
 */

export class PictureGrid {
  /** @param {PictureServices} picture @param {Matrix} matrix */
  constructor(picture, matrix) {
    this.el = picture.el;
    this.services = picture.services;
    this.viewpoint = picture.viewpoint;
    this.canvas = picture.canvas;
    this.point = picture.point;
    this.shared = picture.shared;
    this.matrix = matrix;
    this.near = true;
    this.repaint = true;
    this.active = { i: 0, j: 0 };
    this.heading = /** @type {Cell | null} */ (null);
  }

  /** @param {Cell | null} cell under the pointer, or with the keyboard focus */
  mark(cell) {
    this.point(this, cell);
  }

  get grid() {
    return this.shared.grid;
  }

  get sheet() {
    return this.shared.overlay;
  }

  get matrices() {
    return [this.matrix];
  }

  /** @param {number} i @param {number} j */
  sentence(i, j) {
    return spokenCell(this.matrix, this.services.appearance, i, j);
  }

  /** @this {GridView & PictureGrid} @param {number} i @param {number} j */
  reveal(i, j) {
    this.shared.reveal(this, i, j);
  }

  /** @this {GridView & PictureGrid} @param {number} i @param {number} j */
  bring(i, j) {
    this.shared.bring(this, i, j);
  }

  /** @this {GridView & PictureGrid} @param {number} dy @param {number} dx */
  beyond(dy, dx) {
    return this.shared.beyond(this, dy, dx);
  }

  /** @this {GridView & PictureGrid} */
  materialize() {
    this.shared.materialize(this);
  }

  topOf() {
    return this.sheet.getBoundingClientRect().y;
  }
}
