/**
 * Records what the last step (an edit, undo or redo) changed: the values before the step, and the
 * distances by which they moved. All moves of a slider, or a training run, are one step.
 */

import { CHANGED } from "./flags.js";

/**
 * @import {Matrix} from "./matrix.js"
 * @import {MatrixStore} from "./matrix_store.js"
 * @import {CellOf as Cause} from "./types.js"
 *
 * @typedef {{matrix: Matrix, values: Float32Array, flags?: Uint8Array | null}} News
 */

const MOST_CAUSES = 6; // if the user changed more numbers in a step, no number is marked

// Smaller differences count as rounding: machines add the same numbers in different orders.
const ROUNDING = 2e-6;
const RELATIVE = 1e-5;

export class StepDiff {
  /** @param {MatrixStore} store */
  constructor(store) {
    this.store = store;
    this.last = Number.NEGATIVE_INFINITY; // time of the last change, ms
    this.changes = 0; // number of changes received
    this.most = 0; // the largest change of any number
    this.isDue = false; // whether the next values belong to another step
    this.isFresh = false; // whether the next new values are not to count as a change
    /** The cache of `differs`, with the value of `changes` for which it was computed. */
    this.found = { at: -1, differs: false };
    /** The numbers that the user just changed, by name. @type {Map<string, Cause>} */
    this.causedBy = new Map();
  }

  /** The numbers that the user changed in the last step; empty if there are many. */
  get causes() {
    return this.causedBy.size > MOST_CAUSES ? [] : [...this.causedBy.values()];
  }

  /**
   * Whether any number differs from its value before the last step, by more than rounding. Matrices
   * whose new values have not arrived do not count.
   */
  get differs() {
    const { changes, store } = this;
    const isOther = (/** @type {Matrix} */ matrix) => !store.stale.has(matrix) && hasMoved(matrix);
    if (this.found.at !== changes)
      this.found = { at: changes, differs: store.byIndex.some(isOther) };
    return this.found.differs;
  }

  /**
   * Lets the next change begin a new step.
   * @param {boolean} [isFresh] whether its values are not shown as changes
   */
  begin(isFresh = false) {
    if (isFresh) this.clear();
    this.isFresh = isFresh;
    this.isDue = true;
    for (const matrix of this.store.byIndex) matrix.start = matrix.values;
  }

  /**
   * Records values that are about to replace the current values.
   * @param {readonly News[]} entries @param {number} now ms
   * @returns {boolean} whether they differ from the current values
   */
  take(entries, now) {
    const news = entries.filter(
      ({ matrix, values }) => !matrix.wasSwinging && differs(matrix, values),
    );
    if (!news.length) return false;
    if (this.isFresh) {
      this.changes++;
      return true;
    }
    if (this.isDue) this.clear();
    this.last = now;
    this.changes++;
    for (const { matrix, values, flags } of news) {
      this.findCauses(matrix, values, flags);
      matrix.before ??= matrix.values ?? matrix.start;
      this.most = Math.max(this.most, farthest(matrix.before, values));
    }
    return true;
  }

  /**
   * Collects the numbers that the user changed: flags mark them as changed, now or before.
   * @param {Matrix} matrix @param {Float32Array} values @param {Uint8Array | null} [flags]
   */
  findCauses(matrix, values, flags) {
    const { entry, cols } = matrix;
    if (entry.block || entry.products) return;
    for (let k = 0; k < values.length; k++) {
      const marks = (flags?.[k] ?? 0) | (matrix.flags?.[k] ?? 0);
      const old = (matrix.values ?? matrix.start)?.[k] ?? Number.NaN;
      if (!(marks & CHANGED) || !moved(old, values[k])) continue;
      const [path, top, left] = entry.origin ?? [entry.path, 0, 0];
      const cell = { path, i: top + Math.floor(k / cols), j: left + (k % cols) };
      this.causedBy.set(`${path} ${cell.i} ${cell.j}`, cell);
    }
  }

  /** Forgets the last step. */
  clear() {
    this.causedBy.clear();
    this.isDue = false;
    this.most = 0;
    this.changes++;
    for (const matrix of this.store.byIndex) matrix.before = null;
  }

  /**
   * The change of one number relative to the largest, 0 … 1, with small changes made visible.
   * @param {Matrix} matrix @param {number} k
   */
  shareOf(matrix, k) {
    const { before, values } = matrix;
    return before && values && this.most ? Math.sqrt(moved(before[k], values[k]) / this.most) : 0;
  }

  /** The distance that one number moved. @param {Matrix} matrix @param {number} k */
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

/** @param {Matrix} matrix */
function hasMoved({ before, values }) {
  if (!before || !values || before === values) return false;
  for (let k = 0; k < values.length; k++) if (moved(before[k], values[k])) return true;
  return false;
}

/** The distance of a and b; 0 if tiny or not finite. @param {number} a @param {number} b */
function moved(a, b) {
  if (a === b) return 0;
  const far = Math.abs(a - b); // NaN if a or b did not exist
  if (far <= ROUNDING + RELATIVE * Math.max(Math.abs(a), Math.abs(b))) return 0;
  return Number.isFinite(far) ? far : 0;
}

/** @param {Float32Array | null} before @param {Float32Array} now */
function farthest(before, now) {
  let most = 0;
  if (before) for (let k = 0; k < now.length; k++) most = Math.max(most, moved(before[k], now[k]));
  return most;
}
