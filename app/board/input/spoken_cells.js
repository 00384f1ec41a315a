/**
 * Updates the cell of each grid that a screen reader reaches without focusing the grid. Waits until
 * no new numbers arrive.
 */

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Painter} from "../paint/painter.js"
 */

const REST_MS = 400;

export class SpokenCells {
  /** @param {Painter} painter finds the grids of a matrix */
  constructor(painter) {
    this.painter = painter;
    /** @type {Set<Matrix>} */
    this.due = new Set();
    this.timer = 0;
  }

  /** @param {Iterable<Matrix>} matrices with new values */
  say(matrices) {
    for (const matrix of matrices) this.due.add(matrix);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), REST_MS);
  }

  write() {
    for (const matrix of this.due)
      for (const view of this.painter.gridsOf(matrix)) view.materialize?.();
    this.due.clear();
  }

  remove() {
    clearTimeout(this.timer);
  }
}
