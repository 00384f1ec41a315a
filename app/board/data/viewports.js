/**
 * The positions of the windows on large matrices, and requests to move the windows. Only one
 * request is open at a time; of later requests only the newest is kept, so that dragging never runs
 * ahead of the numbers.
 */

/**
 * @import {Matrix} from "./matrix.js"
 * @import {MatrixStore} from "./matrix_store.js"
 * @import {Send} from "./types.js"
 */

const PATIENCE = 1500;

export class Viewports {
  /**
   * @param {MatrixStore} store @param {Send} send
   * @param {(window: Matrix) => void} moving called when a window gets a new goal
   */
  constructor(store, send, moving) {
    this.store = store;
    this.send = send;
    this.moving = moving;
    this.timer = 0;
    this.waiting = false;
    this.next = /** @type {{path: string, row: number, column: number} | null} */ (null);
    /**
     * @type {Map<string, {row: number, column: number}>} the goal of each window, by the path of
     *   its matrix
     */
    this.goals = new Map();
  }

  /** Resets all requests after a new manifest. */
  reset() {
    clearTimeout(this.timer);
    this.waiting = false;
    this.next = null;
    this.goals.clear();
  }

  /** Returns the window on a matrix, and its goal or current position. @param {string} path */
  on(path) {
    const matrix = this.store.large.get(path);
    if (!matrix?.entry.origin || !matrix.entry.whole) return null;
    const [, row, column] = matrix.entry.origin;
    return { matrix, whole: matrix.entry.whole, ...(this.goals.get(path) ?? { row, column }) };
  }

  /**
   * Moves a window so that it begins at a row and a column; it stays within the matrix.
   * @param {string} path @param {number} row @param {number} column
   */
  request(path, row, column) {
    const now = this.on(path);
    if (!now) return;
    const goal = {
      row: Math.max(0, Math.min(row, now.whole[0] - now.matrix.rows)),
      column: Math.max(0, Math.min(column, now.whole[1] - now.matrix.cols)),
    };
    if (goal.row === now.row && goal.column === now.column) return;
    this.goals.set(path, goal);
    this.next = { path, ...goal };
    this.moving(now.matrix);
    this.sendNext();
  }

  /**
   * Moves a window to show a cell: as little as possible, or with the cell in the middle.
   * @param {string} path @param {number} i @param {number} j @param {boolean} [little]
   */
  reveal(path, i, j, little = false) {
    const now = this.on(path);
    if (!now) return;
    const { row, column } = now;
    const { rows, cols } = now.matrix;
    const to = { row: nearest(row, rows, i), column: nearest(column, cols, j) };
    if (to.row === row && to.column === column) return;
    if (little) this.request(path, to.row, to.column);
    else this.request(path, i - (rows >> 1), j - (cols >> 1));
  }

  sendNext() {
    if (this.waiting || !this.next) return;
    this.send({ type: "window", ...this.next });
    this.next = null;
    this.waiting = true;
    this.timer = setTimeout(() => this.arrived(), PATIENCE);
  }

  /** Ends the open request, since the window's numbers have arrived or the request has failed. */
  arrived() {
    clearTimeout(this.timer);
    this.waiting = false;
    if (this.next) this.sendNext();
    else this.goals.clear();
  }
}

/**
 * Returns the start of a range of `count` that contains k, as close as possible to `first`.
 * @param {number} first @param {number} count @param {number} k
 */
function nearest(first, count, k) {
  if (k < first) return k;
  return k >= first + count ? k - count + 1 : first;
}
