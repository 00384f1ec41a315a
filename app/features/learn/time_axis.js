/**
 * Computes the horizontal axis of a run's steps. About the first `early` steps are equally wide;
 * later steps become narrower, as in `learning.pace`, because most is learned early.
 */

const TICKS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000];
/** CSS px needed by the label of a tick, and by the first label, which is longer. */
const TICK_ROOM = 40;
const FIRST_ROOM = 56;

export class TimeAxis {
  /**
   * @param {number} steps of the whole run @param {number} early
   * @param {number} left CSS px @param {number} right CSS px
   */
  constructor(steps, early, left, right) {
    this.steps = steps;
    this.early = early;
    this.left = left;
    this.right = Math.max(left + 1, right);
  }

  /** Returns the position of a step, in CSS px. @param {number} step */
  x(step) {
    const { steps, early, left, right } = this;
    return left + (right - left) * (Math.log1p(step / early) / Math.log1p(steps / early));
  }

  /** Returns the step nearest to a position. @param {readonly number[]} all @param {number} x */
  nearest(all, x) {
    const away = (/** @type {number} */ step) => Math.abs(this.x(step) - x);
    return all.reduce((a, b) => (away(b) < away(a) ? b : a), all[0]);
  }

  /** The labeled steps, as many as fit, including the first and the last. */
  get ticks() {
    const found = [this.steps];
    for (const step of TICKS.filter((each) => each < this.steps).reverse()) {
      const isFree = this.x(step) < this.x(found[0]) - TICK_ROOM;
      const isClear = this.x(step) > this.left + FIRST_ROOM;
      if (step === 0 || (isFree && isClear)) found.unshift(step);
    }
    return found;
  }
}
