/**
 * Pacing of `set`: one at a time. While the answer to the last is not on screen, only the newest
 * value of a cell is kept, and it goes out once it is. So nothing queues, and the last position
 * always arrives.
 */

/** @import {CellOf, Send} from "./types.js" */

export class EditQueue {
  /** @param {Send} send @param {() => number} press of a pointer that is under way; 0: none */
  constructor(send, press) {
    this.send = send;
    this.press = press;
    this.id = 0;
    this.waitingFor = 0;
    /** @type {Map<string, CellOf & {value: number, press: number}>} by cell */
    this.newest = new Map();
  }

  /** @param {string} path @param {number} i @param {number} j @param {number} value */
  set(path, i, j, value) {
    if (!Number.isFinite(value)) return;
    this.newest.set(keyOf(path, i, j), { path, i, j, value, press: this.press() });
    this.next();
  }

  /**
   * What was not sent yet is not to be sent.
   * @param {string} path @param {number} i @param {number} j
   */
  forget(path, i, j) {
    this.newest.delete(keyOf(path, i, j));
  }

  /**
   * A cell is to be as it was; what it was to be set to does not matter any more.
   * @param {CellOf} cell
   */
  restore({ path, i, j }) {
    this.forget(path, i, j);
    this.send({ type: "restore", path, i, j, press: this.press() });
  }

  /**
   * @param {number} [ack] a frame that the message acknowledges as well
   * @returns {boolean} whether one was sent
   */
  next(ack = 0) {
    const [first] = this.newest;
    if (this.waitingFor || !first) return false;
    const [key, edit] = first;
    this.newest.delete(key);
    this.waitingFor = ++this.id;
    this.send({ type: "set", ...edit, id: this.id, ack });
    return true;
  }

  /**
   * A frame was painted. The next edit carries its acknowledgement along: one message less for the
   * server, which then answers at once. Sent any earlier it would only wait there, while a newer
   * position of the slider waits here.
   * @param {number} id the last `set` that the frame includes @param {number} seq of the frame
   * @returns {boolean} whether it was acknowledged
   */
  painted(id, seq) {
    if (this.waitingFor && id >= this.waitingFor) this.waitingFor = 0;
    return this.next(seq);
  }
}

/** @param {string} path @param {number} i @param {number} j */
const keyOf = (path, i, j) => `${path}[${i},${j}]`;
