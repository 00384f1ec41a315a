/**
 * Pacing of `set`: one at a time. While the answer to the last is not on screen, only the newest
 * value of a cell is kept, and it goes out once it is. So nothing queues, and the last position
 * always arrives.
 *
 * What was set stays here until the tab keeps it: a server that ends in the midst of a drag is told
 * again by the next page.
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
    /**
     * By cell; the id is that under which it was sent, 0: not yet.
     * @type {Map<string, CellOf & {value: number, id: number}>}
     */
    this.unkept = new Map();
  }

  /** @param {string} path @param {number} i @param {number} j @param {number} value */
  set(path, i, j, value) {
    if (!Number.isFinite(value)) return;
    const key = keyOf(path, i, j);
    this.newest.set(key, { path, i, j, value, press: this.press() });
    this.unkept.set(key, { path, i, j, value, id: 0 });
    this.next();
  }

  /** The tab keeps what was set up to this one. @param {number} id */
  kept(id) {
    for (const [key, edit] of this.unkept) if (edit.id && edit.id <= id) this.unkept.delete(key);
  }

  /**
   * What was not sent yet is not to be sent.
   * @param {string} path @param {number} i @param {number} j
   */
  forget(path, i, j) {
    this.newest.delete(keyOf(path, i, j));
    this.unkept.delete(keyOf(path, i, j));
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
    const unkept = this.unkept.get(key);
    if (unkept) unkept.id = this.id;
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
