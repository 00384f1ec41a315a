/**
 * Plays an oscillation. Python has computed every matrix for each of T values of one cell; a clock
 * steps through these frames. Nothing is interpolated: every painted number was computed.
 */

/**
 * @import {Matrix} from "./matrix.js"
 * @import {OrbitMessage} from "./messages.js"
 */

const LONGEST_STEP = 0.25;

export class SwingFrames {
  /** @param {Omit<OrbitMessage, "type" | "bytes">} message */
  constructor({ path, i, j, values, period }) {
    this.path = path;
    this.i = i;
    this.j = j;
    this.values = values;
    this.period = period; // seconds
    /** @type {Set<Matrix>} matrices that have frames */
    this.matrices = new Set();
    this.shown = -1;
    this.phase = 0; // −π/2 … 3π/2: up through the values, then down
    this.time = /** @type {number | null} */ (null);
    this.held = false;
    /** For each matrix, the range of each cell: its largest minus its smallest value. */
    this.spreads = /** @type {Map<Matrix, Float32Array>} */ (new Map());
    this.most = 0;
  }

  /** @param {Omit<OrbitMessage, "type" | "bytes">} message */
  isSame(message) {
    const of = (/** @type {typeof message} */ { path, i, j, values, period }) =>
      String([path, i, j, period, values]);
    return of(message) === of(this);
  }

  /**
   * Starts at the sample nearest to the value on screen, and keeps the direction of its motion.
   * @param {number | undefined} value @param {boolean} falling
   */
  startAt(value, falling) {
    const { length } = this.values;
    let nearest = Math.floor(length / 2);
    if (value !== undefined)
      for (let k = 0; k < length; k++)
        if (Math.abs(this.values[k] - value) < Math.abs(this.values[nearest] - value)) nearest = k;
    const up = length > 1 ? (nearest / (length - 1)) * Math.PI - Math.PI / 2 : 0;
    this.phase = falling ? Math.PI - up : up;
  }

  get falling() {
    return Math.cos(this.phase) < 0;
  }

  /** The position between the lowest value and the highest, 0 … 1. */
  get share() {
    return (Math.asin(Math.sin(this.phase)) + Math.PI / 2) / Math.PI;
  }

  /** @param {number} now ms @returns {boolean} whether another frame is shown */
  advance(now) {
    if (!this.held) {
      if (this.time !== null) {
        // After a pause, as in a hidden tab, continue from the last phase instead of jumping ahead.
        const passed = Math.min(LONGEST_STEP, (now - this.time) / 1000);
        this.phase = (this.phase + (2 * Math.PI * passed) / this.period) % (2 * Math.PI);
      }
      this.time = now;
    }
    const k = Math.round(this.share * (this.values.length - 1));
    if (k === this.shown) return false;
    this.shown = k;
    for (const matrix of this.matrices) matrix.turnTo(k);
    return true;
  }

  /** Adds a matrix whose frames have arrived. @param {Matrix} matrix */
  add(matrix) {
    this.matrices.add(matrix);
    const spreads = spreadsOf(matrix);
    this.spreads.set(matrix, spreads);
    for (const spread of spreads) this.most = Math.max(this.most, spread);
    if (this.shown >= 0) matrix.turnTo(this.shown);
  }

  /**
   * The range of a cell relative to the largest, 0 … 1. A square root makes small ranges visible.
   * @param {Matrix} matrix @param {number} k
   */
  shareOf(matrix, k) {
    return this.most ? Math.sqrt(this.moved(matrix, k) / this.most) : 0;
  }

  /** The range of a cell. @param {Matrix} matrix @param {number} k */
  moved(matrix, k) {
    return this.spreads.get(matrix)?.[k] ?? 0;
  }

  end() {
    for (const matrix of this.matrices) matrix.leaveOrbit();
  }
}

/** The difference of the highest and the lowest value of each cell. @param {Matrix} matrix */
function spreadsOf({ frames, cells }) {
  const low = new Float32Array(cells).fill(Number.POSITIVE_INFINITY);
  const high = new Float32Array(cells).fill(Number.NEGATIVE_INFINITY);
  frames?.values.forEach((v, n) => {
    const k = n % cells;
    if (v < low[k]) low[k] = v;
    if (v > high[k]) high[k] = v;
  });
  return high.map((v, k) => (Number.isFinite(v - low[k]) ? v - low[k] : 0));
}
