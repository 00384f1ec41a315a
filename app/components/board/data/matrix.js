/** A matrix as data: its entry of the manifest and the values now on screen. It may stand in several places. */

import { spoken } from "../../shared/spoken_math.js";

/** The end of the color scale that all matrices share. */
export const FIXED_MAXIMUM = 10;

export class Matrix {
  /** @param {object} entry @param {number} index */
  constructor(entry, index) {
    this.views = /** @type {Set<MatrixView>} */ (new Set());
    this.values = /** @type {Float32Array | null} */ (null);
    this.flags = /** @type {Uint8Array | null} */ (null);
    this.frames = /** @type {Float32Array | null} */ (null);
    this.baseline = /** @type {Float32Array | null} */ (null);
    this.change = /** @type {Float32Array | null} */ (null);
    /** of the loss, while gradients are shown; NaN where there is none */
    this.gradients = /** @type {Float32Array | null} */ (null);
    this.gradientFrames = /** @type {Float32Array | null} */ (null);
    this.maximum = FIXED_MAXIMUM;
    /** What is new of it with the values to come: it is to show another part. */
    this.coming = /** @type {object | null} */ (null);
    this.describe(entry, index);
  }

  /**
   * What is painted: the values, their gradients (null until they are here), or how far each is from the pinned
   * baseline. Where nothing was pinned that has this shape there is no change to show.
   * @param {string} plane "value", "gradient" or "change"
   */
  plane(plane) {
    if (plane === "gradient") return this.gradients;
    if (plane !== "change" || !this.values) return this.values;
    if (this.change?.length !== this.values.length)
      this.change = new Float32Array(this.values.length);
    const { values, baseline, change } = this;
    if (!baseline) return change.fill(NaN);
    // Two masked scores, −∞ both, have not changed.
    for (let k = 0; k < values.length; k++)
      change[k] = values[k] === baseline[k] ? 0 : values[k] - baseline[k];
    return change;
  }

  /** A new manifest: the values stay if they still fit. */
  describe(entry, index) {
    const reshaped = this.rows !== entry.rows || this.cols !== entry.cols;
    this.entry = entry;
    this.index = index;
    this.path = entry.path;
    this.rows = entry.rows;
    this.cols = entry.cols;
    this.frames = this.gradientFrames = null;
    this.baseline = this.coming = null;
    if (reshaped) this.values = this.flags = this.gradients = null;
    return reshaped;
  }

  get cells() {
    return this.rows * this.cols;
  }

  /** @param {Float32Array} values @param {Uint8Array | null} flags @param {Float32Array | null} gradients */
  accept(values, flags, gradients) {
    this.frames = this.gradientFrames = null;
    this.values = values;
    this.flags = flags;
    this.gradients = gradients;
  }

  /** @param {{values: Float32Array, gradients: Float32Array | null}} frames */
  acceptOrbit({ values, gradients }) {
    this.frames = values;
    this.gradientFrames = gradients;
    this.ownMaximum = undefined;
  }

  /** Show one frame of the orbit. */
  turnTo(k) {
    this.values = this.frames.subarray(k * this.cells, (k + 1) * this.cells);
    this.gradients =
      this.gradientFrames && this.gradientFrames.subarray(k * this.cells, (k + 1) * this.cells);
  }

  /** On a scale of its own the largest value is the end of it, during an orbit the largest of all frames. */
  rescale(own, plane) {
    if (!own || !this.values) {
      this.maximum = FIXED_MAXIMUM;
      return;
    }
    if (this.frames && this.ownMaximum !== undefined && plane !== "change") {
      this.maximum = this.ownMaximum;
      return;
    }
    let most = 0;
    const all =
      plane === "gradient"
        ? this.gradientFrames || this.gradients
        : plane === "change"
          ? this.plane(plane)
          : this.frames || this.values;
    for (const v of all || []) {
      const size = v < 0 ? -v : v;
      if (size > most && size !== Infinity) most = size;
    }
    this.maximum = this.ownMaximum = most;
  }

  /** How a listener is told of it: the symbol, and which head. */
  get name() {
    const head = this.entry.head;
    return (
      spoken(this.entry.tex) + (head === null || head === undefined ? "" : ` head ${head + 1}`)
    );
  }
}
