/** A matrix as data: its entry of the manifest and the values now on screen. */

import { FIXED_MAXIMUM } from "../../shared/color_scale.js";
import { spoken } from "../../shared/spoken_math.js";

/** @import {MatrixEntry, Plane} from "./types.js" */

/**
 * @typedef {{values: Float32Array, gradients: Float32Array | null}} Frames of an orbit, one after
 *   the other
 */

export class Matrix {
  /** @param {MatrixEntry} entry @param {number} index its place in the manifest */
  constructor(entry, index) {
    this.entry = entry;
    this.index = index;
    this.path = entry.path;
    this.rows = entry.rows;
    this.cols = entry.cols;
    this.values = /** @type {Float32Array | null} */ (null);
    this.flags = /** @type {Uint8Array | null} */ (null);
    /**
     * of the loss, while gradients are shown; NaN where there is none. While patches are shown, in
     * each cell the share that its row carries of the baseline's answer.
     */
    this.gradients = /** @type {Float32Array | null} */ (null);
    this.baseline = /** @type {Float32Array | null} */ (null);
    /** What it was before the last step, if that has moved it. */
    this.before = /** @type {Float32Array | null} */ (null);
    /** Its values are those of an oscillation that is over: it was not an edit that moved them. */
    this.wasSwinging = false;
    this.frames = /** @type {Frames | null} */ (null);
    /** What is new of it with the values to come: it is to show another part. */
    this.coming = /** @type {Partial<MatrixEntry> | null} */ (null);
    /** The end of its color scale. */
    this.maximum = FIXED_MAXIMUM;
    /** The largest magnitude of what is shown, by which its numbers are set. */
    this.largest = 0;
    this.largestOf = /** @type {Float32Array | null} */ (null);
    /** Whether what is shown are shares of 1, in colors of their own. */
    this.isShare = false;
    this.change = /** @type {Float32Array | null} */ (null);
  }

  /**
   * A new manifest: the values stay if they still fit.
   * @param {MatrixEntry} entry @param {number} index
   */
  describe(entry, index) {
    const reshaped = this.rows !== entry.rows || this.cols !== entry.cols;
    this.entry = entry;
    this.index = index;
    this.path = entry.path;
    this.rows = entry.rows;
    this.cols = entry.cols;
    this.frames = this.baseline = this.coming = null;
    if (reshaped) this.values = this.flags = this.gradients = this.before = null;
  }

  get cells() {
    return this.rows * this.cols;
  }

  /**
   * What is painted: the values, their gradients (null until they are here), or how far each is
   * from the pinned baseline. Where nothing was pinned that has this shape there is no change to
   * show.
   * @param {Plane} plane
   */
  plane(plane) {
    if (plane === "gradient" || plane === "patch") return this.gradients;
    if (plane !== "change" || !this.values) return this.values;
    if (this.change?.length !== this.values.length)
      this.change = new Float32Array(this.values.length);
    const { values, baseline, change } = this;
    if (!baseline) return change.fill(Number.NaN);
    // Two masked scores, −∞ both, have not changed.
    for (let k = 0; k < values.length; k++)
      change[k] = values[k] === baseline[k] ? 0 : values[k] - baseline[k];
    return change;
  }

  /**
   * @param {Float32Array} values @param {Uint8Array | null} flags
   * @param {Float32Array | null} gradients
   */
  accept(values, flags, gradients) {
    this.frames = null;
    this.wasSwinging = false;
    this.values = values;
    this.flags = flags;
    this.gradients = gradients;
  }

  /** @param {Frames} frames */
  acceptOrbit(frames) {
    this.frames = frames;
  }

  /** Show one frame of the orbit. @param {number} k */
  turnTo(k) {
    if (!this.frames) return;
    const { values, gradients } = this.frames;
    this.values = values.subarray(k * this.cells, (k + 1) * this.cells);
    // Shares of patches do not swing.
    if (gradients) this.gradients = gradients.subarray(k * this.cells, (k + 1) * this.cells);
  }

  /** The orbit is over: the frame that is shown stays, and the others are given back. */
  leaveOrbit() {
    if (!this.frames) return;
    this.values = this.values?.slice() ?? null;
    this.gradients = this.gradients?.slice() ?? null;
    this.frames = null;
    this.wasSwinging = true;
  }

  /**
   * Of what is shown the largest number, and the end of the color scale: on a scale of its own the
   * one is the other. During an orbit it is the largest of all frames, so that neither swings.
   * @param {boolean} own @param {Plane} plane
   */
  rescale(own, plane) {
    const values = this.scaled(plane);
    if (values && (values !== this.largestOf || plane === "change")) {
      this.largest = largestOf(values);
      this.largestOf = values;
    }
    this.isShare = isShare(this.entry, plane);
    this.maximum = own ? this.largest : endOf(this.isShare);
  }

  /** The numbers that the scale is made for. @param {Plane} plane */
  scaled(plane) {
    if (plane === "change") return this.plane(plane);
    if (plane === "patch") return this.gradients;
    if (plane === "gradient") return this.frames?.gradients ?? this.gradients;
    return this.frames?.values ?? this.values;
  }

  /** What a listener hears of it: the symbol, and which head. */
  get name() {
    const { head, tex } = this.entry;
    return spoken(tex) + (head === null || head === undefined ? "" : ` head ${head + 1}`);
  }
}

/**
 * Whether a matrix is drawn as shares of 1: not their changes, nor their gradients; but what
 * patches carry is.
 * @param {MatrixEntry} entry @param {Plane} plane
 */
export const isShare = ({ scale }, plane) =>
  plane === "patch" || (scale === "share" && plane === "value");

/** The end of the color scale that all matrices have in common. @param {boolean} ofShares */
export const endOf = (ofShares) => (ofShares ? 1 : FIXED_MAXIMUM);

/** The largest finite magnitude. @param {Float32Array} values */
export function largestOf(values) {
  let most = 0;
  for (const v of values) {
    const size = v < 0 ? -v : v;
    if (size > most && size !== Infinity) most = size;
  }
  return most;
}
