/**
 * Records what the last step changed, including undo and redo: the values before, and by how much
 * they moved. All moves of a slider are one step, and so is a training run.
 */

/**
 * @import {Matrix} from "./matrix.js"
 * @import {MatrixStore} from "./matrix_store.js"
 */

// Smaller differences are rounding: two machines add the same numbers in different orders.
const ROUNDING = 2e-6;
const RELATIVE = 1e-5;

export class Trail {
  /** @param {MatrixStore} store */
  constructor(store) {
    this.store = store;
    this.last = Number.NEGATIVE_INFINITY; // time of the last change, ms
    this.changes = 0; // number of changes received
    this.most = 0; // the largest change of any number
    this.isDue = false; // whether the next values belong to another step
  }

  /** Begins another step with the next change. */
  begin() {
    this.isDue = true;
    for (const matrix of this.store.byIndex) matrix.start = matrix.values;
  }

  /**
   * Records values that are about to replace the current ones.
   * @param {readonly {matrix: Matrix, values: Float32Array}[]} entries @param {number} now ms
   * @returns {boolean} whether they differ from the current ones
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
      matrix.before ??= matrix.values ?? matrix.start;
      this.most = Math.max(this.most, farthest(matrix.before, values));
    }
    return true;
  }

  /** Forgets the last step. */
  clear() {
    this.isDue = false;
    this.most = 0;
    this.changes++;
    for (const matrix of this.store.byIndex) matrix.before = null;
  }

  /**
   * How far a row moved relative to the largest change, 0 … 1, on a scale that makes small changes
   * visible.
   * @param {Matrix} matrix @param {number} row
   */
  tint(matrix, row) {
    const { before, values, cols } = matrix;
    if (!before || !values || !this.most) return 0;
    let sum = 0;
    for (let k = row * cols; k < (row + 1) * cols; k++) sum += moved(before[k], values[k]);
    return Math.min(1, (sum / cols / this.most) ** 0.4);
  }

  /** The same for one number. @param {Matrix} matrix @param {number} k */
  shareOf(matrix, k) {
    const { before, values } = matrix;
    return before && values && this.most ? Math.sqrt(moved(before[k], values[k]) / this.most) : 0;
  }

  /** How far one number moved. @param {Matrix} matrix @param {number} k */
  moved({ before, values }, k) {
    return before && values ? moved(before[k], values[k]) : 0;
  }
}

/** @param {Matrix} matrix @param {Float32Array} values */
function differs(matrix, values) {
  const old = matrix.values ?? matrix.start;
  if (!old || old.length !== values.length || matrix.coming) return false;
  for (let k = 0; k < values.length; k++) if (moved(old[k], values[k])) return true;
  return false;
}

/** @param {number} a @param {number} b returns their distance; 0 if one of them is infinite */
function moved(a, b) {
  if (a === b) return 0;
  const far = Math.abs(a - b); // NaN where one was not there
  if (far <= ROUNDING + RELATIVE * Math.max(Math.abs(a), Math.abs(b))) return 0;
  return Number.isFinite(far) ? far : 0;
}

/** @param {Float32Array | null} before @param {Float32Array} now */
function farthest(before, now) {
  let most = 0;
  if (before) for (let k = 0; k < now.length; k++) most = Math.max(most, moved(before[k], now[k]));
  return most;
}
