/** Waits until the page shows a given version. */

export class WhenShown {
  /**
   * @param {() => {version: number, areNews: boolean}} now returns the painted version, and whether
   *   a newer frame has yet to be painted
   */
  constructor(now) {
    this.now = now;
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

  /** Resolves promises whose version is shown, called after a paint and after a message. */
  look() {
    const { version, areNews } = this.now();
    const ready = areNews ? [] : this.waiting.filter((each) => each.version <= version);
    this.waiting = this.waiting.filter((each) => !ready.includes(each));
    for (const { resolve } of ready) resolve();
  }
}
