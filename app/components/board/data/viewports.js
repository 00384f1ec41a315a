/**
 * Windows on large matrices: which part of each is on the board, and requests to see another. One
 * request at a time is under way; meanwhile only the newest waits, so that a drag over an overview
 * never runs ahead of the numbers.
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
   * @param {(window: Matrix) => void} moving the window on a matrix has another goal
   */
  constructor(store, send, moving) {
    this.store = store;
    this.send = send;
    this.moving = moving;
    this.timer = 0;
    this.waiting = false;
    this.next = /** @type {{path: string, row: number, column: number} | null} */ (null);
    /**
     * @type {Map<string, {row: number, column: number}>} where each window is going, by the path of
     *   its matrix
     */
    this.goals = new Map();
  }

  /** After a new manifest: what was requested may be gone. */
  reset() {
    clearTimeout(this.timer);
    this.waiting = false;
    this.next = null;
    this.goals.clear();
  }

  /** The window on a matrix and where it is or is going. @param {string} path */
  on(path) {
    const matrix = this.store.large.get(path);
    if (!matrix?.entry.origin || !matrix.entry.whole) return null;
    const [, row, column] = matrix.entry.origin;
    return { matrix, whole: matrix.entry.whole, ...(this.goals.get(path) ?? { row, column }) };
  }

  /**
   * Move a window so that this is its first row and column, as far as the matrix reaches.
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
   * Move a window, if need be, so that it shows a cell: by as little as it takes, or with the cell
   * in its middle.
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

  /** Its numbers are there, or will not come. */
  arrived() {
    clearTimeout(this.timer);
    this.waiting = false;
    if (this.next) this.sendNext();
    else this.goals.clear();
  }
}

/**
 * Where a stretch begins that has k and is as near as can be to one of `count` from `first` on.
 * @param {number} first @param {number} count @param {number} k
 */
function nearest(first, count, k) {
  if (k < first) return k;
  return k >= first + count ? k - count + 1 : first;
}
