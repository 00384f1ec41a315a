/**
 * Tells the server which cell the pointer is on, so that it can say what the cell was made from.
 * One question at a time: while it is open only the newest place waits, so a quick pointer asks for
 * no more than can be answered.
 */

/** @import {CellOf, Send} from "../data/types.js" */

const NOWHERE = { path: null, i: 0, j: 0 };

export class Hover {
  /**
   * @param {Send} send
   * @param {() => boolean} isSwinging a thousand numbers then change under the pointer anyway
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
    if (this.waiting || isSame(this.next, this.sent) || this.isSwinging()) return;
    this.sent = this.next;
    this.waiting = true;
    this.send({ type: "hover", ...(this.sent ?? NOWHERE) });
  }

  answered() {
    this.waiting = false;
    this.sendNext();
  }
}

/** @param {CellOf | null} a @param {CellOf | null} b */
const isSame = (a, b) => a?.path === b?.path && a?.i === b?.i && a?.j === b?.j;
