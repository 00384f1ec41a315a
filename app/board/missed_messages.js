/** Checks with Python, after a while without messages, whether the board has missed a message. */

/** ms without a message before a check; MOST_APART misses in a row end the checks. */
const QUIET = 5000;
const MOST_APART = 3;

export class MissedMessages {
  /**
   * @param {() => Promise<unknown>} compare rejects if a message is missing
   * @param {() => boolean} isPainting whether some of the last messages are not painted yet
   */
  constructor(compare, isPainting) {
    this.compare = compare;
    this.isPainting = isPainting;
    this.timer = 0;
    this.apart = 0; // number of checks in a row that found a message missing
  }

  /** Restarts the wait; called at each message. */
  hear() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), QUIET);
  }

  ask() {
    this.stop();
    if (this.apart >= MOST_APART) return;
    if (document.hidden || this.isPainting()) {
      this.hear(); // check later
      return;
    }
    this.compare().then(
      () => {
        this.apart = 0;
      },
      () => {
        this.apart += 1;
      },
    );
  }

  stop() {
    clearTimeout(this.timer);
  }
}
