/**
 * All that a page says to Python, in the order in which it was done. Each thing is numbered and
 * answered: it was done, or a sentence says why not. What the tab does not keep yet is known here,
 * so that the next page of this tab can say it again.
 */

import { announce } from "../../shared/announce.js";
import { tooLarge, wrongIn } from "./limits.js";

/**
 * @import {Limits} from "./limits.js"
 * @import {Packet} from "./wire.js"
 *
 * @typedef {"set" | "message" | "compare"} Kind
 * @typedef {{to: number, name: string, seen?: number}} Component its number and class, and how many
 *   changes of its properties have come
 *
 * @typedef {object} How
 * @property {boolean} [aside] the page says it by itself: it is in no order with what is done
 * @property {boolean} [passes] it is of no use to the next page
 * @property {boolean} [isLong] it has a long text in it
 * @property {boolean} [unanswered] it is itself an answer, as that a frame was painted
 *
 * @typedef {object} Entry what can be said again
 * @property {number} to @property {string} name
 * @property {Kind} kind @property {object} content
 * @property {number} at when it was done: ms, on one clock for all pages of a tab
 * @property {string} model which one was shown
 * @property {number} again how many pages have said it again
 *
 * @typedef {object} Open
 * @property {(version: number) => void} done @property {(error: Error) => void} fail
 * @property {boolean} isLost whether it cannot be said again, if the page ends before it is done
 *
 * @typedef {object} Unkept
 * @property {Entry} entry
 * @property {number} version of what a tab has to keep, so that this is in it
 * @property {boolean} isLost as above
 */

/** Of more letters than that nothing is kept to be said again. */
const LARGE = 100_000;
/** So many pages of a tab say something again: it may be what ends them. */
const MOST_AGAIN = 5;

export class Outbox {
  /**
   * @param {(entry: unknown[]) => Packet} pack
   * @param {(packet: Packet) => void} post in their order
   * @param {(to: number) => string | undefined} nameOf the class of what stands on the page
   */
  constructor(pack, post, nameOf) {
    this.pack = pack;
    this.post = post;
    this.nameOf = nameOf;
    this.number = 0;
    this.posts = 0; // that have come
    this.model = "";
    this.limits = /** @type {Limits | null} */ (null);
    /** The newest of consecutive things of one kind, until its turn or until another is said.
     * @type {{key: string, send: () => void} | null} */
    this.held = null;
    /** @type {Map<number, Open>} */
    this.open = new Map();
    /** @type {Map<number, Unkept>} */
    this.unkept = new Map();
    this.kept = -1; // the version that the tab keeps
    /** What the page before had done, until this one shows what that showed. @type {Entry[]} */
    this.unsaid = [];
  }

  // -- saying ------------------------------------------------------------------------------------

  /**
   * Say something, after all that was done before it.
   * @param {Component} of @param {Kind} kind @param {object} content @param {How} [how]
   * @returns {Promise<number>} the version of the page in which it is done; fails with the sentence
   *   that says why it is not
   */
  say({ to, name, seen }, kind, content, how = {}) {
    if (how.unanswered) {
      this.post(this.pack([kind, to, content]));
      return Promise.resolve(0);
    }
    if (!how.aside) this.flush();
    const entry = { to, name, kind, content, at: timeNow(), model: this.model, again: 0 };
    return this.send(entry, seen, how);
  }

  /** Why so many bytes cannot be sent; empty if they can. @param {number} size */
  refusalOf(size) {
    return this.limits ? tooLarge(size, this.limits) : "";
  }

  /**
   * Ask whether the page has all that Python has said; what is missing comes again.
   * @param {number} version that it shows
   * @returns {Promise<number>} fails if something was missing
   */
  compare(version) {
    const of = { to: 0, name: "" };
    return this.say(of, "compare", { posts: this.posts, version }, { aside: true });
  }

  /**
   * @param {Entry} entry @param {number | undefined} seen @param {How} how
   * @returns {Promise<number>}
   */
  send(entry, seen, { aside = false, passes = aside, isLong = false }) {
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
   * Have the newest of consecutive things of one kind wait until it is released; whatever else is
   * done meanwhile is said after it.
   * @param {string} key @param {() => void} send says it
   */
  hold(key, send) {
    if (!this.holds(key)) this.flush();
    this.held = { key, send };
  }

  /** @param {string} key */
  holds(key) {
    return this.held?.key === key;
  }

  /** What is held back does not matter any more. */
  drop() {
    this.held = null;
  }

  /** What is held back is said now. */
  flush() {
    const { held } = this;
    this.held = null;
    held?.send();
  }

  // -- answers -----------------------------------------------------------------------------------

  /**
   * Python has done what it was told, or says why not.
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

  /** The tab keeps what is of this version. @param {number} version */
  keeps(version) {
    this.kept = version;
    for (const [n, entry] of this.unkept) if (entry.version <= version) this.unkept.delete(n);
  }

  /**
   * What the tab does not keep, for the next page to say, and whether anything else was not done.
   * @returns {{said: Entry[], isLost: boolean}}
   */
  get rest() {
    this.flush();
    const rest = [...this.unkept.values()];
    const isLost = [...rest, ...this.open.values()].some((each) => each.isLost);
    const said = rest.filter((each) => !each.isLost).map(({ entry }) => entry);
    return { said: [...this.unsaid, ...said], isLost };
  }

  /** Say what the page before could not. @returns {boolean} whether there is all that it was for */
  sayAgain() {
    const said = this.unsaid.splice(0);
    const possible = said.filter(({ to, name }) => this.nameOf(to) === name);
    for (const entry of possible)
      this.send({ ...entry, again: entry.again + 1 }, undefined, {}).catch(() => {});
    return possible.length === said.length;
  }
}

/**
 * A sentence for who reads the page, of something that never left it.
 * @param {unknown} error
 */
export function tellRefusal(error) {
  announce("refused", { sentence: error instanceof Error ? error.message : String(error) });
}

const timeNow = () => performance.timeOrigin + performance.now();
