/**
 * How many pixels the picture has: all of the screen's at rest; fewer while it moves, where frames
 * come late with all of them and sooner with fewer, as on a dense screen without a graphics card.
 */

const SHARES = [1, 0.75, 0.5]; // of the screen's pixels, each way
const FRAMES = 10; // of a motion, by whose median it is judged
const LATE = 24; // ms between two frames
const SOONER = 0.9; // fewer pixels help if frames come in this share of the time
const RESTS = 400; // ms after the last frame of a motion

export class Sharpness {
  /**
   * @param {() => void} onChanged the picture has other pixels
   * @param {() => boolean} mayChange whether it can be painted with others now
   */
  constructor(onChanged, mayChange) {
    this.onChanged = onChanged;
    this.mayChange = mayChange;
    this.step = 0; // of SHARES, now
    this.learned = 0; // the one with which the last motion went on
    this.most = SHARES.length - 1; // the last that helps
    this.before = 0; // ms between frames in the step before
    this.gaps = /** @type {number[]} */ ([]);
    this.last = Number.NEGATIVE_INFINITY;
    this.timer = 0;
  }

  /** Pixels of the picture a CSS px. @param {number} screen pixels of the screen a CSS px */
  ratio(screen) {
    return screen <= 1 ? screen : Math.max(1, screen * SHARES[this.step]);
  }

  /** A frame of a motion was painted. @param {number} now ms @param {number} screen */
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

  /** @param {number} median ms between frames @param {number} screen */
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

  /** All pixels, as soon as it can be painted with them. */
  rest() {
    clearTimeout(this.timer);
    this.before = 0;
    if (!this.take(0)) this.timer = setTimeout(() => this.rest(), RESTS);
  }

  /** The picture or the screen has another size: nothing is known of its frames. */
  forget() {
    clearTimeout(this.timer);
    this.step = this.learned = this.before = 0;
    this.most = SHARES.length - 1;
    this.gaps = [];
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** @param {number} step @returns {boolean} whether it is the one now */
  take(step) {
    if (step === this.step) return true;
    if (!this.mayChange()) return false;
    this.step = step;
    this.onChanged();
    return true;
  }
}
