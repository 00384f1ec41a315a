/**
 * Sends the moves of what is dragged: by default, while one is computed, the next is on its way,
 * and of those that wait only the newest, so that nothing queues up and the last one is kept.
 */

import { ask } from "./model.js";

/**
 * @import {Connection} from "./model.js"
 *
 * @typedef {{type: string, [field: string]: unknown}} Said what a picture's component hears
 */

const MOST_UNDER_WAY = 2;
let made = 0; // how many there are

export class Paced {
  /**
   * @param {Connection} model
   * @param {number} [most] how many may be under way at once; with 1, none is computed in vain
   */
  constructor(model, most = MOST_UNDER_WAY) {
    this.model = model;
    this.most = most;
    made += 1;
    this.key = `paced ${made}`;
    this.underWay = 0;
    this.next = /** @type {Said | null} */ (null);
    this.last = /** @type {Said | null} */ (null);
    /** @type {(() => void) | null} */
    this.onSettled = null;
  }

  /** @param {Said} message */
  say(message) {
    this.next = message;
    this.go();
    // What waits is sent before any other action, which may not overtake it.
    if (this.next) this.model.outbox?.hold(this.key, () => this.next && this.send());
  }

  /** Says this after all that was said before. @param {Said} message */
  end(message) {
    this.last = message;
    this.go();
  }

  /**
   * Calls a function, the last that was given, once all that was said is done.
   * @param {() => void} run
   */
  settled(run) {
    this.onSettled = run;
  }

  go() {
    if (this.underWay >= this.most) return;
    if (!this.next && !this.last) {
      if (this.underWay) return;
      const run = this.onSettled;
      this.onSettled = null;
      run?.();
      return;
    }
    this.send();
  }

  /** Sends what waits. */
  send() {
    const message = this.next ?? this.last;
    if (!message) return;
    if (this.next) this.next = null;
    else this.last = null;
    this.underWay += 1;
    const done = () => {
      this.underWay -= 1;
      this.go();
    };
    ask(this.model, message).then(done, done); // Python shows why something was refused
  }
}
