/**
 * What the last step moved, forth or back: from where, and how far. All moves of a slider are one
 * step, and so is a training.
 */

/**
 * @import {Matrix} from "./matrix.js"
 * @import {MatrixStore} from "./matrix_store.js"
 */

// What is nearer differs by rounding: two machines add the same numbers in another order.
const ROUNDING = 2e-6;
const RELATIVE = 1e-5;

export class Trail {
  /** @param {MatrixStore} store */
  constructor(store) {
    this.store = store;
    this.last = Number.NEGATIVE_INFINITY; // when something changed, ms
    this.changes = 0; // counts what came
    this.most = 0; // the farthest that a number moved
    this.isDue = false; // whether what comes is moved by another step
  }

  /** What moves from now on is moved by another step. */
  begin() {
    this.isDue = true;
  }

  /**
   * Values are about to come.
   * @param {readonly {matrix: Matrix, values: Float32Array}[]} entries @param {number} now ms
   * @returns {boolean} whether they are others than those that were there
   */
  take(entries, now) {
    const news = entries.filter(
      ({ matrix, values }) => !matrix.wasSwinging && differs(matrix, values),
    );
    if (!news.length) return false;
    if (this.isDue) this.clear();
    this.last = now;
    this.changes++;
    for (const { matrix, values } of news) {
      matrix.before ??= matrix.values;
      this.most = Math.max(this.most, farthest(matrix.before, values));
    }
    return true;
  }

  /** What moved before is forgotten. */
  clear() {
    this.isDue = false;
    this.most = 0;
    this.changes++;
    for (const matrix of this.store.byIndex) matrix.before = null;
  }

  /**
   * How far a row of a matrix moved, beside the farthest that any number did: 0 … 1, and spread so
   * that little shows, too.
   * @param {Matrix} matrix @param {number} row
   */
  tint(matrix, row) {
    const { before, values, cols } = matrix;
    if (!before || !values || !this.most) return 0;
    let sum = 0;
    for (let k = row * cols; k < (row + 1) * cols; k++) sum += moved(before[k], values[k]);
    return Math.min(1, (sum / cols / this.most) ** 0.4);
  }

  /** The same of one number. @param {Matrix} matrix @param {number} k */
  share(matrix, k) {
    const { before, values } = matrix;
    return before && values && this.most ? Math.sqrt(moved(before[k], values[k]) / this.most) : 0;
  }
}

/** @param {Matrix} matrix @param {Float32Array} values */
function differs(matrix, values) {
  const old = matrix.values;
  if (!old || old.length !== values.length || matrix.coming) return false;
  for (let k = 0; k < values.length; k++) if (moved(old[k], values[k])) return true;
  return false;
}

/** @param {number} a @param {number} b how far apart; what was or is infinite has no distance */
function moved(a, b) {
  if (a === b) return 0;
  const far = Math.abs(a - b);
  if (far <= ROUNDING + RELATIVE * Math.max(Math.abs(a), Math.abs(b))) return 0;
  return Number.isFinite(far) ? far : 0;
}

/** @param {Float32Array | null} before @param {Float32Array} now */
function farthest(before, now) {
  let most = 0;
  if (before) for (let k = 0; k < now.length; k++) most = Math.max(most, moved(before[k], now[k]));
  return most;
}
