/**
 * Sends edits one at a time. While the page does not show the last edit, only the newest position
 * of the slider is kept. It is sent once the page shows the last edit, or before any other action.
 * So edits do not queue up and stay in order.
 */

/**
 * @import {Outbox} from "../../transport/port/outbox.js"
 * @import {ReleaseMessage, RestoreMessage, SetMessage} from "./messages.js"
 * @import {CellOf} from "./types.js"
 *
 * @typedef {(message: SetMessage | RestoreMessage | ReleaseMessage) => Promise<number>} SendEdit
 *   resolves to the page version that includes the edit
 * @typedef {{done: (version: number) => void, fail: (error: Error) => void}} Asker
 * @typedef {{key: string, message: SetMessage, askers: Asker[]}} Waiting
 */

export class EditQueue {
  /**
   * @param {SendEdit} send @param {Pick<Outbox, "hold" | "holds" | "drop" | "flush">} outbox
   * @param {() => number} press number of the pointer press that sets a cell; 0 without one
   * @param {() => string | undefined} structure the digest of the shown structure
   * @param {() => boolean} isHeld whether a pointer holds the number being set
   */
  constructor(send, outbox, press, structure, isHeld = () => false) {
    this.send = send;
    this.outbox = outbox;
    this.press = press;
    this.structure = structure;
    this.isHeld = isHeld;
    /** Whether an edit was sent as held, and the release has not been reported yet. */
    this.holds = false;
    this.count = 0; // number of edits sent
    /** Whether the page does not show the last edit yet. */
    this.isBusy = false;
    /** The page version that includes the last edit; infinite until Python has answered. */
    this.awaited = Number.POSITIVE_INFINITY;
    this.shown = -1; // the page version painted last
    /** @type {Waiting | null} */
    this.waiting = null;
  }

  /**
   * @param {string} path @param {number} i @param {number} j @param {number} value a finite number
   * @returns {Promise<number>} the page version that includes the edit; rejects with a sentence
   */
  set(path, i, j, value) {
    /** @type {SetMessage} */
    const message = { type: "set", ...this.place({ path, i, j }), value };
    if (this.isHeld()) message.held = true;
    this.holds ||= this.isHeld();
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
   * Restores a cell. An edit of the same press that was not sent yet is dropped.
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

  /** Reports that the pointer was released, so that Python updates the sentence. */
  release() {
    if (!this.holds) return;
    this.holds = false;
    this.outbox.flush();
    this.send({ type: "release" }).catch(() => {});
  }

  /** @param {CellOf} cell */
  place({ path, i, j }) {
    return { path, i, j, of: this.structure(), press: this.press() };
  }

  /** @param {SetMessage | RestoreMessage} message @param {Asker[]} askers */
  go(message, askers) {
    this.waiting = null;
    this.count += 1;
    const { count } = this;
    this.isBusy = true;
    this.awaited = Number.POSITIVE_INFINITY;
    /** @param {number} version the version that must be shown before the next edit is sent */
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
   * Sends the pending edit if the last one is shown.
   * @param {number} [ack] the frame that this edit also acknowledges
   * @returns {boolean} whether an edit was sent
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
   * Records that a frame was painted. If an edit waits, it is sent now and carries the
   * acknowledgment, which saves a message. An edit sent earlier would only queue in Python; here a
   * newer position of the slider can still replace it.
   * @param {number} version the version that is shown now @param {number} seq of the frame
   * @returns {boolean} whether an edit has acknowledged the frame
   */
  painted(version, seq) {
    this.shown = version;
    return this.next(seq);
  }
}

/** Returns one key for all positions of a slider. @param {SetMessage | RestoreMessage} message */
const keyOf = ({ path, i, j, of, press }) => `${path}[${i},${j}] ${press} ${of}`;
