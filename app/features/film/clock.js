/**
 * Keeps the time of a film, which advances at a chosen speed while the film plays, until the end.
 */

const LONGEST = 0.1; // seconds; the most that a frame advances, to avoid a jump after a pause

export class Clock {
  constructor() {
    this.length = 0; // seconds
    this.seconds = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.last = /** @type {number | null} */ (null); // ms
  }

  get isOver() {
    return this.length > 0 && this.seconds >= this.length;
  }

  play() {
    if (this.isOver) this.seconds = 0;
    this.isPlaying = true;
    this.last = null;
  }

  pause() {
    this.isPlaying = false;
  }

  /** @param {number} seconds */
  goTo(seconds) {
    this.seconds = Math.max(0, Math.min(this.length, seconds));
    this.last = null;
  }

  /** Advances by a frame. @param {number} now ms @param {boolean} waits whether time is stopped */
  tick(now, waits = false) {
    const passed = this.last === null ? 0 : Math.min(LONGEST, (now - this.last) / 1000);
    this.last = now;
    if (!this.isPlaying || waits) return;
    this.goTo(this.seconds + passed * this.speed);
    this.last = now;
    if (this.isOver) this.pause();
  }
}
