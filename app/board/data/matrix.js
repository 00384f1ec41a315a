/** The data of a matrix: its manifest entry and the values that are now on screen. */

import { FIXED_MAXIMUM } from "../../components/shared/color_scale.js";
import { spoken } from "../../components/shared/spoken_math.js";
import { isToRead, MASKED } from "./flags.js";
import { sameLabels } from "./same_labels.js";

/** @import {MatrixEntry, Plane} from "./types.js" */

/**
 * @typedef {{values: Float32Array, gradients: Float32Array | null}} Frames of an orbit,
 *   concatenated
 */

export class Matrix {
  /** @param {MatrixEntry} entry @param {number} index its index in the manifest */
  constructor(entry, index) {
    this.entry = entry;
    this.index = index;
    this.path = entry.path;
    this.rows = entry.rows;
    this.cols = entry.cols;
    this.values = /** @type {Float32Array | null} */ (null);
    this.flags = /** @type {Uint8Array | null} */ (null);
    /** The cache of `stated`: the values and flags from which it was computed, and the result. */
    this.told = /** @type {(Float32Array | Uint8Array | null)[]} */ ([]);
    /**
     * While gradients are shown: gradients of the loss; NaN for cells without a gradient. While
     * patches are shown: the share of the baseline's answer that the row of each cell carries.
     */
    this.gradients = /** @type {Float32Array | null} */ (null);
    this.baseline = /** @type {Float32Array | null} */ (null);
    /** The values before the last step, if the step changed them. */
    this.before = /** @type {Float32Array | null} */ (null);
    /** The values when the last step began; after a change of shape, only for words that remain. */
    this.start = /** @type {Float32Array | null} */ (null);
    /** Whether the values are a frame of an ended oscillation, not the result of an edit. */
    this.wasSwinging = false;
    this.frames = /** @type {Frames | null} */ (null);
    /** Changes of the entry that apply when the values of the matrix's new part arrive. */
    this.coming = /** @type {Partial<MatrixEntry> | null} */ (null);
    /** The value at the end of the color scale. */
    this.maximum = FIXED_MAXIMUM;
    /** The largest magnitude shown, which determines the number format. */
    this.largest = 0;
    this.largestOf = /** @type {Float32Array | null} */ (null);
    /** Whether the numbers are shares from 0 to 1, which have a separate color scale. */
    this.isShare = false;
    this.change = /** @type {Float32Array | null} */ (null);
  }

  /** Takes an entry; keeps values of its size. @param {MatrixEntry} entry @param {number} index */
  describe(entry, index) {
    const reshaped = this.rows !== entry.rows || this.cols !== entry.cols;
    if (reshaped) this.start = inShapeOf(entry, this.entry, this.start);
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

  /** Whether an open question asks for the number of a cell. @param {number} k */
  isToRead(k) {
    return isToRead(this.flags?.[k] ?? 0);
  }

  /** The weights that sentences may state; NaN for weights that an open question asks for. */
  get stated() {
    const { values, flags } = this;
    if (!values || !flags?.some(isToRead)) return values;
    const [of, by, known] = this.told;
    if (of === values && by === flags) return /** @type {Float32Array} */ (known);
    const found = values.map((value, k) => (isToRead(flags[k]) ? Number.NaN : value));
    this.told = [values, flags, found];
    return found;
  }

  /**
   * The attention weight of a cell, 0 … 1; an even share of the row if an open question asks for
   * the weight.
   * @param {number} k
   */
  weight(k) {
    const weight = this.isToRead(k) ? Number.NaN : (this.values?.[k] ?? 0);
    return Number.isNaN(weight) ? 1 / this.cols : Math.min(1, weight);
  }

  /** The largest magnitude of a cell, in all frames of an oscillation. @param {number} k */
  most(k) {
    const all = this.frames?.values ?? this.values ?? [];
    let most = 0;
    for (let at = k; at < all.length; at += this.cells) most = Math.max(most, Math.abs(all[at]));
    return most;
  }

  /** The number of unmasked cells of a row. @param {number} i */
  visibleIn(i) {
    const { cols, flags } = this;
    const hidden = flags?.subarray(i * cols, (i + 1) * cols).filter((mark) => mark & MASKED);
    return cols - (hidden?.length ?? 0);
  }

  /**
   * Returns the numbers to paint: values, gradients (null until they arrive), or changes since the
   * pinned baseline. Without a baseline of this shape there are no changes to show.
   * @param {Plane} plane
   */
  plane(plane) {
    if (plane === "gradient" || plane === "patch") return this.gradients;
    if (plane !== "change" || !this.values) return this.values;
    if (this.change?.length !== this.values.length)
      this.change = new Float32Array(this.values.length);
    const { values, baseline, change } = this;
    if (!baseline) return change.fill(Number.NaN);
    // Two masked scores are both −∞, and have not changed.
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

  /** Shows one frame of the orbit. @param {number} k */
  turnTo(k) {
    if (!this.frames) return;
    const { values, gradients } = this.frames;
    this.values = values.subarray(k * this.cells, (k + 1) * this.cells);
    // The shares of patches are not part of an orbit.
    if (gradients) this.gradients = gradients.subarray(k * this.cells, (k + 1) * this.cells);
  }

  /** Leaves the orbit: the current frame stays, and the others are released. */
  leaveOrbit() {
    if (!this.frames) return;
    this.values = this.values?.slice() ?? null;
    this.gradients = this.gradients?.slice() ?? null;
    this.frames = null;
    this.wasSwinging = true;
  }

  /**
   * Computes the largest magnitude shown and the end of the color scale; both are equal if the
   * matrix has its own scale. During an orbit both cover all frames, so the scale stays.
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

  /** Returns the numbers that determine the scale. @param {Plane} plane */
  scaled(plane) {
    if (plane === "change") return this.plane(plane);
    if (plane === "patch") return this.gradients;
    if (plane === "gradient") return this.frames?.gradients ?? this.gradients;
    return this.frames?.values ?? this.values;
  }

  /** The matrix's name for screen readers: its symbol, and its head. */
  get name() {
    const { head, tex } = this.entry;
    return spoken(tex) + (head === null || head === undefined ? "" : ` head ${head + 1}`);
  }
}

/**
 * Whether a matrix is drawn as shares of 1. Its changes and gradients are not shares, but the
 * numbers of the patch plane are.
 * @param {MatrixEntry} entry @param {Plane} plane
 */
export const isShare = ({ scale }, plane) =>
  plane === "patch" || (scale === "share" && plane === "value");

/** The end of the color scale that matrices share. @param {boolean} ofShares */
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

/**
 * Copies values to another shape, by the words of rows and columns; NaN where a word is new.
 * @param {MatrixEntry} now @param {MatrixEntry} then @param {Float32Array | null} values
 */
function inShapeOf(now, then, values) {
  if (!values || now.whole || then.whole) return null;
  const rows = sameLabels(then.row_labels.map(read), now.row_labels.map(read));
  const cols = sameLabels(then.col_labels.map(read), now.col_labels.map(read));
  if (!rows.length || !cols.length) return null;
  const found = new Float32Array(now.rows * now.cols).fill(Number.NaN);
  for (const [from, to] of rows)
    for (const [left, right] of cols)
      found[to * now.cols + right] = values[from * then.cols + left];
  return found;
}

/** The word read in a row, without the word written there: `chat` of `chat → writes noir`. */
const read = (/** @type {string} */ label) => label.split(" → ")[0];
