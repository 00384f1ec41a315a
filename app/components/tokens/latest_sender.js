/** Sends lists of tokens, one at a time: while one is unanswered only the newest waits. */

export class LatestSender {
  /** @param {(tokens: string[]) => void} post */
  constructor(post) {
    this.post = post;
    this.busy = false;
    this.next = /** @type {string[] | null} */ (null);
  }

  /** @param {string[]} tokens */
  send(tokens) {
    this.next = tokens;
    this.sendNext();
  }

  answered() {
    this.busy = false;
    this.sendNext();
  }

  get idle() {
    return !this.busy && this.next === null;
  }

  sendNext() {
    if (this.busy || this.next === null) return;
    const tokens = this.next;
    this.next = null;
    this.busy = true;
    this.post(tokens);
  }
}
