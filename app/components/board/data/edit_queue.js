/**
 * Pacing of numbers that are set: one at a time. While the page does not show the last one yet,
 * only the newest of consecutive places of the same slider waits, and goes out when it does; or
 * before that, when anything else is done. So nothing queues, and nothing overtakes it.
 */

/**
 * @import {Outbox} from "../../carriers/port/outbox.js"
 * @import {RestoreMessage, SetMessage} from "./messages.js"
 * @import {CellOf} from "./types.js"
 *
 * @typedef {(message: SetMessage | RestoreMessage) => Promise<number>} SendEdit gives the version
 *   of the page that has it
 * @typedef {{done: (version: number) => void, fail: (error: Error) => void}} Asker
 * @typedef {{key: string, message: SetMessage, askers: Asker[]}} Waiting
 */

export class EditQueue {
  /**
   * @param {SendEdit} send @param {Pick<Outbox, "hold" | "holds" | "drop" | "flush">} outbox
   * @param {(key: string) => number} press by which a cell is set
   * @param {() => string | undefined} structure that is shown
   */
  constructor(send, outbox, press, structure) {
    this.send = send;
    this.outbox = outbox;
    this.press = press;
    this.structure = structure;
    this.count = 0; // of those that were sent
    /** Whether the last one is not shown yet. */
    this.isBusy = false;
    /** Of the page that has it; unknown until it is answered. */
    this.awaited = Number.POSITIVE_INFINITY;
    this.shown = -1; // the version that was painted last
    /** @type {Waiting | null} */
    this.waiting = null;
  }

  /**
   * @param {string} path @param {number} i @param {number} j @param {number} value a finite one
   * @returns {Promise<number>} the version of the page that has it; fails with a sentence
   */
  set(path, i, j, value) {
    const message = { type: /** @type {const} */ ("set"), ...this.place({ path, i, j }), value };
    return new Promise((done, fail) => {
      const asker = { done, fail };
      if (!this.isBusy) {
        this.outbox.flush();
        this.go(message, [asker]);
        return;
      }
      const key = keyOf(message);
      const askers = this.outbox.holds(key) ? [...(this.waiting?.askers ?? []), asker] : [asker];
      const waiting = { key, message, askers };
      this.outbox.hold(key, () => this.go(waiting.message, waiting.askers));
      this.waiting = waiting;
    });
  }

  /**
   * A cell is to be as it was; what the same press was to set it to does not matter any more.
   * @param {CellOf} cell @returns {Promise<number>} as `set`
   */
  restore(cell) {
    const message = { type: /** @type {const} */ ("restore"), ...this.place(cell) };
    /** @type {Asker[]} */
    let askers = [];
    if (this.waiting && this.outbox.holds(keyOf(message))) {
      askers = this.waiting.askers;
      this.outbox.drop();
    } else this.outbox.flush();
    return new Promise((done, fail) => this.go(message, [...askers, { done, fail }]));
  }

  /** @param {CellOf} cell */
  place({ path, i, j }) {
    return { path, i, j, of: this.structure(), press: this.press(`${path}[${i},${j}]`) };
  }

  /** @param {SetMessage | RestoreMessage} message @param {Asker[]} askers */
  go(message, askers) {
    this.waiting = null;
    this.count += 1;
    const { count } = this;
    this.isBusy = true;
    this.awaited = Number.POSITIVE_INFINITY;
    /** @param {number} version from which on the next one may go */
    const answered = (version) => {
      if (count !== this.count) return;
      this.awaited = version;
      this.next();
    };
    this.send(message).then(
      (version) => {
        for (const { done } of askers) done(version);
        answered(version);
      },
      (error) => {
        for (const { fail } of askers) fail(error);
        answered(-1);
      },
    );
  }

  /**
   * Send what waits, if the last one is shown.
   * @param {number} [ack] a frame that the message acknowledges as well
   * @returns {boolean} whether one was sent
   */
  next(ack = 0) {
    if (this.isBusy && this.awaited > this.shown) return false;
    this.isBusy = false;
    const { waiting } = this;
    if (!waiting || !this.outbox.holds(waiting.key)) return false;
    if (ack) waiting.message.ack = ack;
    this.outbox.flush();
    return true;
  }

  /**
   * A frame was painted. The next edit carries its acknowledgement along: one message less for the
   * server, which then answers at once. Sent any earlier it would only wait there, while a newer
   * position of the slider waits here.
   * @param {number} version of what is shown now @param {number} seq of the frame
   * @returns {boolean} whether it was acknowledged
   */
  painted(version, seq) {
    this.shown = version;
    return this.next(seq);
  }
}

/** What makes two edits places of one slider. @param {SetMessage | RestoreMessage} message */
const keyOf = ({ path, i, j, of, press }) => `${path}[${i},${j}] ${press} ${of}`;
