/**
 * The resolution of the picture's canvas: the screen's at rest, a lower one during a motion if that
 * raises the frame rate, as on a dense screen without a graphics card.
 */

const SHARES = [1, 0.75, 0.5]; // of the screen's resolution
const FRAMES = 10; // frames between two decisions, which go by the median interval
const LATE = 24; // ms between two frames
const SOONER = 0.9; // a lower resolution is kept if it reduces the interval to this share
const RESTS = 400; // ms without a frame after which a motion has ended

export class Sharpness {
  /**
   * @param {() => void} onChanged called when the resolution has changed
   * @param {() => boolean} mayChange whether it may change now
   */
  constructor(onChanged, mayChange) {
    this.onChanged = onChanged;
    this.mayChange = mayChange;
    this.step = 0; // the current index into SHARES
    this.learned = 0; // the index that was best for the last motion
    this.most = SHARES.length - 1; // the highest index that has not failed to help
    this.before = 0; // ms between frames before the last step down; 0 if that is decided
    this.gaps = /** @type {number[]} */ ([]);
    this.last = Number.NEGATIVE_INFINITY;
    this.timer = 0;
  }

  /** Canvas pixels per CSS pixel. @param {number} screen device pixels per CSS pixel */
  ratio(screen) {
    return screen <= 1 ? screen : Math.max(1, screen * SHARES[this.step]);
  }

  /** Report a painted frame of a motion. @param {number} now ms @param {number} screen */
  moved(now, screen) {
    if (screen <= 1) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), RESTS);
    const gap = now - this.last;
    this.last = now;
    if (gap > RESTS) {
      this.gaps = [];
      return; // a single frame is no motion
    }
    if (this.step < this.learned) this.take(this.learned);
    this.gaps.push(gap);
    if (this.gaps.length < FRAMES) return;
    const median = this.gaps.toSorted((a, b) => a - b)[FRAMES / 2];
    this.gaps = [];
    this.judge(median, screen);
  }

  /** Keep, lower or restore the resolution. @param {number} median ms @param {number} screen */
  judge(median, screen) {
    const isTried = this.before > 0;
    const helps = median < SOONER * this.before;
    this.before = 0;
    if (isTried && !helps) {
      this.most = this.learned = this.step - 1;
      this.take(this.learned);
      return;
    }
    const canBeLess = this.step < this.most && this.ratio(screen) > 1;
    if (median <= LATE || !canBeLess || !this.take(this.step + 1)) return;
    this.learned = this.step;
    this.before = median;
  }

  /** Restore the screen's resolution, as soon as it may change. */
  rest() {
    clearTimeout(this.timer);
    this.before = 0;
    if (!this.take(0)) this.timer = setTimeout(() => this.rest(), RESTS);
  }

  /** Start over, as the view or the screen has changed; the caller resizes the canvas. */
  forget() {
    clearTimeout(this.timer);
    this.step = this.learned = this.before = 0;
    this.most = SHARES.length - 1;
    this.gaps = [];
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** @param {number} step index into SHARES @returns {boolean} whether it is the current one now */
  take(step) {
    if (step === this.step) return true;
    if (!this.mayChange()) return false;
    this.step = step;
    this.onChanged();
    return true;
  }
}
