/**
 * Limits the messages of a drag: by default at most two are unanswered: one is being computed and
 * one is in transit. Of further messages only the newest is kept and sent later, so none queue.
 */

import { ask } from "./model.js";

/**
 * @import {Connection} from "./model.js"
 *
 * @typedef {{type: string, [field: string]: unknown}} Said a message to a picture's component
 */

const MOST_UNDER_WAY = 2;
let made = 0; // number of instances so far

export class Paced {
  /**
   * @param {Connection} model
   * @param {number} [most] most unanswered messages; with 1, no result is computed in vain
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
    // The pending message must be sent before any other action.
    if (this.next) this.model.outbox?.hold(this.key, () => this.next && this.send());
  }

  /** Sends a message after all earlier messages. @param {Said} message */
  end(message) {
    this.last = message;
    this.go();
  }

  /** Sets the function to run once all messages are answered. @param {() => void} run */
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

  /** Sends the pending message. */
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
    ask(this.model, message).then(done, done); // Python shows refusals
  }
}
