/**
 * Playing an oscillation. The server has computed what every matrix is for each of T values of one cell; here a clock
 * walks over them. Nothing is interpolated: every number painted was computed.
 */

export class Orbit {
  /**
   * @param {{path: string, i: number, j: number, values: number[], period: number}} message
   * @param {Map<Matrix, {values: Float32Array, gradients: Float32Array | null}>} frames
   */
  constructor(message, frames) {
    Object.assign(this, {
      path: message.path,
      i: message.i,
      j: message.j,
      values: message.values,
      period: message.period,
    });
    this.frames = frames;
    this.length = message.values.length;
    this.shown = -1;
    this.phase = 0; // −π/2 … 3π/2: up through the values, then down
    this.time = /** @type {number | null} */ (null);
    this.held = false;
  }

  isSame(message) {
    return (
      message.path === this.path &&
      message.i === this.i &&
      message.j === this.j &&
      message.period === this.period &&
      message.values.length === this.length &&
      message.values.every((v, k) => v === this.values[k])
    );
  }

  /** Begin at the sample nearest to the value on screen, and go on in the direction it was going. */
  startAt(value, falling) {
    let nearest = Math.floor(this.length / 2);
    if (value !== undefined)
      for (let k = 0; k < this.length; k++)
        if (Math.abs(this.values[k] - value) < Math.abs(this.values[nearest] - value)) nearest = k;
    const up = this.length > 1 ? (nearest / (this.length - 1)) * Math.PI - Math.PI / 2 : 0;
    this.phase = falling ? Math.PI - up : up;
  }

  get falling() {
    return Math.cos(this.phase) < 0;
  }

  /** @param {number} now ms @returns {boolean} whether another frame is due */
  advance(now) {
    if (!this.held) {
      if (this.time !== null) {
        // After a pause (a hidden tab) go on from where it was, do not jump.
        const passed = Math.min(0.25, (now - this.time) / 1000);
        this.phase = (this.phase + (2 * Math.PI * passed) / this.period) % (2 * Math.PI);
      }
      this.time = now;
    }
    const k = Math.round(
      ((Math.asin(Math.sin(this.phase)) + Math.PI / 2) / Math.PI) * (this.length - 1),
    );
    if (k === this.shown) return false;
    this.shown = k;
    for (const matrix of this.frames.keys()) this.turn(matrix);
    return true;
  }

  /** @param {Matrix} matrix */
  turn(matrix) {
    if (matrix.frames && this.shown >= 0) matrix.turnTo(this.shown);
  }

  get value() {
    return this.values[this.shown];
  }

  /** Matrices keep the frame they show, but not the whole orbit. */
  end() {
    for (const matrix of this.frames.keys())
      if (matrix.frames) {
        if (matrix.values) matrix.values = matrix.values.slice();
        if (matrix.gradients) matrix.gradients = matrix.gradients.slice();
        matrix.frames = matrix.gradientFrames = null;
      }
  }
}
