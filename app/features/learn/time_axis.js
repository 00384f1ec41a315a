/**
 * The steps of a run from left to right. Most is learned early: about so many of the first steps
 * are equally wide, and later ones the narrower the later they are, as in `learning.pace`.
 */

const TICKS = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 30000];
const TICK_ROOM = 40; // CSS px that the number of a tick needs

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

  /** CSS px. @param {number} step */
  x(step) {
    const { steps, early, left, right } = this;
    return left + (right - left) * (Math.log1p(step / early) / Math.log1p(steps / early));
  }

  /**
   * The one of some steps that is nearest to a place.
   * @param {readonly number[]} all @param {number} x
   */
  nearest(all, x) {
    const away = (/** @type {number} */ step) => Math.abs(this.x(step) - x);
    return all.reduce((a, b) => (away(b) < away(a) ? b : a), all[0]);
  }

  /** The steps that have a number, as many as have room; the first and the last do. */
  get ticks() {
    const found = [this.steps];
    for (const step of TICKS.filter((each) => each < this.steps).reverse()) {
      const isFree = this.x(step) < this.x(found[0]) - TICK_ROOM;
      const isClear = this.x(step) > this.left + TICK_ROOM;
      if (step === 0 || (isFree && isClear)) found.unshift(step);
    }
    return found;
  }
}
