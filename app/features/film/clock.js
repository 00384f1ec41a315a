/** The time of a film: it goes on while the film plays, faster or slower, and stops at its end. */

const LONGEST = 0.1; // seconds that one display frame may take: after a pause it does not jump

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

  /** A display frame. @param {number} now ms @param {boolean} waits whether it stands still */
  tick(now, waits = false) {
    const passed = this.last === null ? 0 : Math.min(LONGEST, (now - this.last) / 1000);
    this.last = now;
    if (!this.isPlaying || waits) return;
    this.goTo(this.seconds + passed * this.speed);
    this.last = now;
    if (this.isOver) this.pause();
  }
}
