/**
 * Sends numbered messages to Python, in the order of the user's actions. Python answers each
 * message with an empty text, or with the reason for a refusal. The outbox keeps each message until
 * the tab has saved its effect, so that after a reload the next page can send the message again.
 */

import { announce } from "../../components/shared/announce.js";
import { tooLarge, wrongIn } from "./limits.js";

/**
 * @import {Limits} from "./limits.js"
 * @import {Packet} from "./wire.js"
 *
 * @typedef {"set" | "message" | "compare"} Kind
 * @typedef {{to: number, name: string, seen?: number}} Component its number and class, and how many
 *   property updates it has received
 *
 * @typedef {object} How
 * @property {boolean} [aside] sent by the page itself, so its order does not matter
 * @property {boolean} [passes] must not be sent again after a reload
 * @property {boolean} [isLong] may contain a long string
 * @property {boolean} [unanswered] is itself an acknowledgment, and gets no answer
 *
 * @typedef {object} Entry a message that can be sent again
 * @property {number} to @property {string} name
 * @property {Kind} kind @property {object} content
 * @property {number} at the time of the action, in ms since the epoch
 * @property {string} model the name of the model that was shown
 * @property {number} again the number of pages that have sent it again
 *
 * @typedef {object} Open a message that waits for its answer
 * @property {(version: number) => void} done @property {(error: Error) => void} fail
 * @property {boolean} isLost whether it is lost if the page ends before the answer
 *
 * @typedef {object} Unkept a message whose effect the tab has not saved
 * @property {Entry} entry
 * @property {number} version the session version that includes it
 * @property {boolean} isLost whether it cannot be sent again
 */

/** Messages with more characters are not kept to be sent again. */
const LARGE = 100_000;
/** The most pages that send a message again, because the message may make each of them crash. */
const MOST_AGAIN = 5;

export class Outbox {
  /**
   * @param {(entry: unknown[]) => Packet} pack
   * @param {(packet: Packet) => void} post sends to Python, in order
   * @param {(to: number) => string | undefined} nameOf the class of an element on the page
   */
  constructor(pack, post, nameOf) {
    this.pack = pack;
    this.post = post;
    this.nameOf = nameOf;
    this.number = 0;
    this.posts = 0; // posts received from Python
    this.model = "";
    this.limits = /** @type {Limits | null} */ (null);
    /**
     * The newest of a run of similar actions; sent by `flush`, or before the next other action.
     * @type {{key: string, send: () => void} | null}
     */
    this.held = null;
    /** @type {Map<number, Open>} */
    this.open = new Map();
    /** @type {Map<number, Unkept>} */
    this.unkept = new Map();
    this.kept = -1; // the session version that the tab has saved
    /**
     * Messages whose effect the previous page did not save; see `resend`.
     * @type {Entry[]}
     */
    this.toResend = [];
  }

  // -- sending -----------------------------------------------------------------------------------

  /**
   * Sends a message, after the message that is held back.
   * @param {Component} of @param {Kind} kind @param {object} content @param {How} [how]
   * @returns {Promise<number>} the page version that includes the change; rejects with a sentence
   *   if it is refused
   */
  send({ to, name, seen }, kind, content, how = {}) {
    if (how.unanswered) {
      this.post(this.pack([kind, to, content]));
      return Promise.resolve(0);
    }
    if (!how.aside) this.flush();
    const entry = { to, name, kind, content, at: timeNow(), model: this.model, again: 0 };
    return this.sendEntry(entry, seen, how);
  }

  /**
   * Returns a sentence if this many bytes are too many to send, or else an empty string.
   * @param {number} size
   */
  refusalOf(size) {
    return this.limits ? tooLarge(size, this.limits) : "";
  }

  /**
   * Requests a comparison: if this page lacks any of Python's posts, Python sends everything again.
   * @param {number} version that the page shows
   * @returns {Promise<number>} rejects if something was missing
   */
  compare(version) {
    const of = { to: 0, name: "" };
    return this.send(of, "compare", { posts: this.posts, version }, { aside: true });
  }

  /**
   * @param {Entry} entry @param {number | undefined} seen @param {How} how
   * @returns {Promise<number>}
   */
  sendEntry(entry, seen, { aside = false, passes = aside, isLong = false }) {
    const { to, kind, content, at, model, again } = entry;
    const n = this.number + 1;
    const packet = this.pack([kind, to, content, { n, at, model, seen }]);
    const wrong = this.limits && wrongIn(content, packet, this.limits, isLong);
    if (wrong) return Promise.reject(new Error(wrong));
    this.number = n;
    const isLost = again >= MOST_AGAIN || packet.buffers.length > 0 || packet.text.length > LARGE;
    if (!passes) this.unkept.set(n, { entry, version: Number.POSITIVE_INFINITY, isLost });
    return new Promise((done, fail) => {
      this.open.set(n, { done, fail, isLost: passes && !aside });
      this.post(packet);
    });
  }

  // -- holding back ------------------------------------------------------------------------------

  /**
   * Holds back the newest of a run of similar actions until `flush`, so that only the last is sent.
   * Messages with another key are sent after it.
   * @param {string} key @param {() => void} send sends the message
   */
  hold(key, send) {
    if (!this.holds(key)) this.flush();
    this.held = { key, send };
  }

  /** @param {string} key */
  holds(key) {
    return this.held?.key === key;
  }

  /** Discards the message that is held back. */
  drop() {
    this.held = null;
  }

  /** Sends the message that is held back. */
  flush() {
    const { held } = this;
    this.held = null;
    held?.send();
  }

  // -- answers -----------------------------------------------------------------------------------

  /**
   * Handles Python's answers: an empty sentence, or the reason for a refusal.
   * @param {{done: [n: number, sentence: string][], version: number, kept: number}} answers
   */
  answered({ done, version, kept }) {
    for (const [n, sentence] of done) {
      const waiting = this.unkept.get(n);
      if (waiting) waiting.version = kept;
      if (sentence || kept <= this.kept) this.unkept.delete(n);
      const open = this.open.get(n);
      this.open.delete(n);
      if (sentence) open?.fail(new Error(sentence));
      else open?.done(version);
    }
  }

  /** Notes that the tab has saved the session up to this version. @param {number} version */
  keeps(version) {
    this.kept = version;
    for (const [n, entry] of this.unkept) if (entry.version <= version) this.unkept.delete(n);
  }

  /**
   * The messages that the tab has not saved, for the next page to send, and whether any message is
   * lost.
   * @returns {{said: Entry[], isLost: boolean}}
   */
  get rest() {
    this.flush();
    const rest = [...this.unkept.values()];
    const isLost = [...rest, ...this.open.values()].some((each) => each.isLost);
    const said = rest.filter((each) => !each.isLost).map(({ entry }) => entry);
    return { said: [...this.toResend, ...said], isLost };
  }

  /**
   * Sends again the messages whose effect the previous page did not save.
   * @returns {boolean} whether the components of all these messages are on the page
   */
  resend() {
    const said = this.toResend.splice(0);
    const possible = said.filter(({ to, name }) => this.nameOf(to) === name);
    for (const entry of possible)
      this.sendEntry({ ...entry, again: entry.again + 1 }, undefined, {}).catch(() => {});
    return possible.length === said.length;
  }
}

/** Announces why a message was not sent. @param {unknown} error */
export function announceRefusal(error) {
  announce("notice", { sentence: error instanceof Error ? error.message : String(error) });
}

const timeNow = () => performance.timeOrigin + performance.now();
