/** Who waits until the page shows what was done. */

/** ms between two looks whether a page that draws nothing, out of sight, has what is waited for. */
const UNSEEN = 500;

export class WhenShown {
  /**
   * @param {() => {version: number, areNews: boolean}} now what was painted last, and whether
   *   something is yet to be
   * @param {() => void} paint what is yet to be, without a display frame
   */
  constructor(now, paint) {
    this.now = now;
    this.paint = paint;
    this.timer = 0;
    /** @type {{version: number, tell: () => void}[]} */
    this.waiting = [];
  }

  /** @param {number} version @returns {Promise<void>} when it is painted */
  until(version) {
    return new Promise((tell) => {
      this.waiting.push({ version, tell });
      this.look();
    });
  }

  /** Something was painted, or has come. */
  look() {
    const { version, areNews } = this.now();
    const ready = areNews ? [] : this.waiting.filter((each) => each.version <= version);
    this.waiting = this.waiting.filter((each) => !ready.includes(each));
    for (const { tell } of ready) tell();
    clearTimeout(this.timer);
    if (this.waiting.length) this.timer = setTimeout(() => this.unseen(), UNSEEN);
  }

  /** Browsers draw nothing in a page that is out of sight. */
  unseen() {
    if (this.now().areNews) this.paint();
    this.look();
  }

  remove() {
    clearTimeout(this.timer);
  }
}
