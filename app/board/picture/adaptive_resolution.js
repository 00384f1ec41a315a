/**
 * The resolution of the picture's canvas. It is the screen's resolution at rest, and lower during a
 * motion if that raises the frame rate, as on a dense screen without a graphics card.
 */

const SHARES = [1, 0.75, 0.5]; // of the screen's resolution
const FRAMES = 12; // frames between two decisions; a decision uses their median interval
const SETTLES = 4; // slow frames after a change, in which much is redrawn; they are not counted
const LATE = 24; // ms between two frames; a longer interval lowers the resolution
const SOONER = 0.9; // a lower resolution is kept if it reduces the interval to this share
const RESTS = 400; // ms without a frame after which a motion has ended

export class AdaptiveResolution {
  /**
   * @param {() => void} onChanged called when the resolution has changed
   * @param {() => boolean} mayChange whether the resolution may change now
   */
  constructor(onChanged, mayChange) {
    this.onChanged = onChanged;
    this.mayChange = mayChange;
    this.step = 0; // the current index into SHARES
    this.learned = 0; // the index that was best for the last motion
    this.full = 0; // ms between frames at the screen's resolution
    this.isVain = false; // whether even the lowest resolution did not raise the frame rate
    this.skipped = 0; // frames since the last change
    this.gaps = /** @type {number[]} */ ([]);
    this.last = Number.NEGATIVE_INFINITY;
    this.timer = 0;
  }

  /** Canvas pixels per CSS pixel. @param {number} screen device pixels per CSS pixel */
  ratio(screen) {
    return screen <= 1 ? screen : Math.max(1, screen * SHARES[this.step]);
  }

  /** Counts a painted frame of a motion. @param {number} now ms @param {number} screen */
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
    if (this.skipped++ < SETTLES) return;
    this.gaps.push(gap);
    if (this.gaps.length < FRAMES) return;
    const median = this.gaps.toSorted((a, b) => a - b)[FRAMES / 2];
    this.gaps = [];
    this.judge(median, this.ratio(screen) > 1);
  }

  /**
   * Keeps, lowers or restores the resolution. Frames wait for the display, so a single step may not
   * raise the frame rate: the lowest resolution is compared with the screen's.
   * @param {number} median ms between frames
   * @param {boolean} canBeLower whether there is a lower resolution
   */
  judge(median, canBeLower) {
    if (this.step === 0) this.full = median;
    if (median <= LATE || this.isVain) return;
    const isLowest = !canBeLower || this.step === SHARES.length - 1;
    if (!isLowest) this.take(this.step + 1);
    else if (this.step > 0 && median > SOONER * this.full) this.isVain = this.take(0);
    this.learned = this.step;
  }

  /** Restores the screen's resolution as soon as it may change. */
  rest() {
    clearTimeout(this.timer);
    if (!this.take(0)) this.timer = setTimeout(() => this.rest(), RESTS);
  }

  /** Starts over after the view or the screen has changed; the caller resizes the canvas. */
  forget() {
    clearTimeout(this.timer);
    this.step = this.learned = this.full = this.skipped = 0;
    this.isVain = false;
    this.gaps = [];
    this.last = Number.NEGATIVE_INFINITY;
  }

  /** @param {number} step index into SHARES @returns {boolean} whether it is current now */
  take(step) {
    if (step === this.step) return true;
    if (!this.mayChange()) return false;
    this.step = step;
    this.skipped = 0;
    this.gaps = [];
    this.onChanged();
    return true;
  }
}
