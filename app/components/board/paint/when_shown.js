/** Waits until the page shows a given version. */

/** ms between checks in a hidden page, for which the browser paints nothing. */
const UNSEEN = 500;

export class WhenShown {
  /**
   * @param {() => {version: number, areNews: boolean}} now the painted version, and whether a newer
   *   frame has to be painted
   * @param {() => void} paint paints what is due, without a display frame
   */
  constructor(now, paint) {
    this.now = now;
    this.paint = paint;
    this.timer = 0;
    /** @type {{version: number, resolve: () => void}[]} */
    this.waiting = [];
  }

  /** @param {number} version @returns {Promise<void>} resolves when the page shows this version */
  until(version) {
    return new Promise((resolve) => {
      this.waiting.push({ version, resolve });
      this.look();
    });
  }

  /**
   * Resolves the promises whose version is shown. Called after a paint and when something arrives.
   */
  look() {
    const { version, areNews } = this.now();
    const ready = areNews ? [] : this.waiting.filter((each) => each.version <= version);
    this.waiting = this.waiting.filter((each) => !ready.includes(each));
    for (const { resolve } of ready) resolve();
    clearTimeout(this.timer);
    if (this.waiting.length) this.timer = setTimeout(() => this.unseen(), UNSEEN);
  }

  /** Paints without a display frame, because browsers have none for a hidden page. */
  unseen() {
    if (this.now().areNews) this.paint();
    this.look();
  }

  remove() {
    clearTimeout(this.timer);
  }
}
