/**
 * The weights of one head, which the picture shows as links. A link can be pointed at, selected and
 * dragged like any cell.
 */

import { middleOf } from "../links/curve.js";
import { PictureGrid } from "./picture_grid.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Cell, CellOf} from "../data/types.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {PictureServices} from "./picture_grid.js"
 */

const SIZE = 12; // CSS px of the box that represents a link

/** @implements {GridView} */
export class LinkGrid extends PictureGrid {
  /** @param {PictureServices} picture @param {LaneLinks} links @param {Matrix} matrix */
  constructor(picture, links, matrix) {
    super(picture, matrix);
    this.kind = /** @type {const} */ ("cells");
    this.links = links;
    this.head = matrix.entry.head ?? 0;
    this.services.painter.add(matrix, this);
  }

  /** @returns {Geometry} */
  get geometry() {
    return {
      ...{ mode: "picture", cell: SIZE, height: SIZE, head: 0, tail: 0, label: 0, top: 0 },
      ...{ upright: false, above: false, full: 0, tall: 0, windowWidth: 0, windowHeight: 0 },
    };
  }

  /** Paints nothing: `LaneLinks` paints all links together. */
  paint() {
    return false;
  }

  /** A box at the middle of a link. @param {number} i @param {number} j @returns {Box} */
  boxOf(i, j) {
    const drawing = this.links.drawing();
    if (!drawing) return { x: 0, y: 0, width: SIZE, height: SIZE };
    const shift = drawing.layers.find(({ head }) => head === this.head)?.shift ?? 0;
    const { a, b } = drawing;
    const x = a + (b - a) * (0.125 + 0.75 * middleOf(drawing, i)); // of the curve's middle
    const y = (drawing.yFrom(i) + drawing.yTo(j)) / 2 + shift;
    return { x: x - SIZE / 2, y: y - SIZE / 2, width: SIZE, height: SIZE };
  }

  /** @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    const { x, y } = this.viewpoint.inView(clientX, clientY);
    const found = this.links.at(x, y);
    return found?.grid === this ? { i: found.i, j: found.j } : null;
  }

  /** @param {number} i @param {number} j @returns {CellOf} */
  origin(i, j) {
    return { path: this.matrix.path, i, j };
  }

  /** @param {Cell | null} cell */
  mark(cell) {
    super.mark(cell);
    this.services.painter.touch(this.links);
  }

  remove() {
    this.services.painter.remove(this.matrix, this);
  }
}
