/** A matrix as data: its entry of the manifest and the values now on screen. It may stand in several places. */

class Matrix {
  /** @param {object} entry @param {number} index */
  constructor(entry, index) {
    this.views = /** @type {Set<MatrixView>} */ (new Set());
    this.values = /** @type {Float32Array | null} */ (null);
    this.flags = /** @type {Uint8Array | null} */ (null);
    this.frames = /** @type {Float32Array | null} */ (null);
    this.maximum = FIXED_MAXIMUM;
    this.describe(entry, index);
  }

  /** A new manifest: the values stay if they still fit. */
  describe(entry, index) {
    const reshaped = this.rows !== entry.rows || this.cols !== entry.cols;
    this.entry = entry;
    this.index = index;
    this.path = entry.path;
    this.rows = entry.rows;
    this.cols = entry.cols;
    this.frames = null;
    if (reshaped) this.values = this.flags = null;
    return reshaped;
  }

  get cells() { return this.rows * this.cols; }

  accept(values, flags) {
    this.frames = null;
    this.values = values;
    this.flags = flags;
  }

  acceptOrbit(frames) {
    this.frames = frames;
    this.ownMaximum = undefined;
  }

  /** Show one frame of the orbit. */
  turnTo(k) {
    this.values = this.frames.subarray(k * this.cells, (k + 1) * this.cells);
  }

  /** On a scale of its own the largest value is the end of it, during an orbit the largest of all frames. */
  rescale(own) {
    if (!own || !this.values) {
      this.maximum = FIXED_MAXIMUM;
      return;
    }
    if (this.frames && this.ownMaximum !== undefined) {
      this.maximum = this.ownMaximum;
      return;
    }
    let most = 0;
    for (const v of this.frames || this.values) {
      const size = v < 0 ? -v : v;
      if (size > most && size !== Infinity) most = size;
    }
    this.maximum = this.ownMaximum = most;
  }

  /** How a listener is told of it: the symbol, and which head. */
  get name() {
    const head = this.entry.head;
    return spoken(this.entry.tex) + (head === null || head === undefined ? "" : ` head ${head + 1}`);
  }
}
