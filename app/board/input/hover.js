/**
 * Asks Python for the operands of the cell under the pointer. Only one request is open at a time;
 * of later cells only the newest is kept, so that a fast pointer does not queue requests.
 */

import { isSameCell } from "../data/cursors.js";

/** @import {CellOf, Send} from "../data/types.js" */

const NOWHERE = { path: null, i: 0, j: 0 };

export class Hover {
  /**
   * @param {Send} send
   * @param {() => boolean} isSwinging whether a number oscillates; then no requests are sent
   */
  constructor(send, isSwinging) {
    this.send = send;
    this.isSwinging = isSwinging;
    this.sent = this.next = /** @type {CellOf | null} */ (null);
    this.waiting = false;
  }

  /** @param {CellOf | null} cell */
  at(cell) {
    this.next = cell;
    this.sendNext();
  }

  sendNext() {
    if (this.waiting || isSameCell(this.next, this.sent) || this.isSwinging()) return;
    this.sent = this.next;
    this.waiting = true;
    this.send({ type: "hover", ...(this.sent ?? NOWHERE) });
  }

  answered() {
    this.waiting = false;
    this.sendNext();
  }
}
