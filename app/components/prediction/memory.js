/**
 * What the probabilities were before the last edit. A slider's moves, an oscillation and a training
 * are one edit, however many numbers go by: it begins when something moves after a rest.
 */

/**
 * @typedef {Map<string, number>} Words the probability of each word
 * @typedef {Map<string, Words>} AllRows of each position, by what is asked there
 */

/** How long nothing may have moved for the next move to be another edit. */
const REST = 600;

export class Memory {
  /**
   * @param {() => AllRows} readAll what is on the page now
   * @param {() => boolean} isBusy whether what moves is still under way, though it stands just now
   * @param {() => void} rested
   */
  constructor(readAll, isBusy, rested) {
    this.readAll = readAll;
    this.isBusy = isBusy;
    this.rested = rested;
    this.isMoving = false;
    /** As they were when everything was at rest. @type {AllRows} */
    this.atRest = new Map();
    /** As they were before the last edit. @type {AllRows} */
    this.before = new Map();
    this.timer = 0;
  }

  /** Something on the page has moved. @returns {boolean} whether that begins another edit */
  moved() {
    const begins = !this.isMoving;
    if (begins) this.before = this.atRest;
    this.isMoving = true;
    this.wait();
    return begins;
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
