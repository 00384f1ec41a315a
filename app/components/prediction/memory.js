/**
 * Remembers the probabilities before the last edit. A slider's moves, an oscillation or a training
 * run count as one edit, which begins when something moves after a rest.
 */

/**
 * @typedef {Map<string, number>} Words the probability of each word
 * @typedef {Map<string, Words>} AllRows for each position, by the text before it
 */

/** ms without movement after which the next movement is a new edit. */
const REST = 600;

export class Memory {
  /**
   * @param {() => AllRows} readAll reads what is on the page now
   * @param {() => boolean} isBusy whether an edit continues even if nothing moves at the moment
   * @param {() => void} rested
   */
  constructor(readAll, isBusy, rested) {
    this.readAll = readAll;
    this.isBusy = isBusy;
    this.rested = rested;
    this.isMoving = false;
    /** The probabilities when nothing had moved for REST ms. @type {AllRows} */
    this.atRest = new Map();
    /** The probabilities before the last edit. @type {AllRows} */
    this.before = new Map();
    this.timer = 0;
  }

  /** Notes that something on the page has moved. */
  moved() {
    if (!this.isMoving) this.before = this.atRest;
    this.isMoving = true;
    this.wait();
  }

  /** Forgets what was before: another model was opened, which is not compared. */
  forget() {
    this.before = new Map();
    this.isMoving = true;
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.rest(), REST);
  }

  rest() {
    if (this.isBusy()) {
      this.wait();
      return;
    }
    this.isMoving = false;
    this.atRest = this.readAll();
    this.rested();
  }
}
