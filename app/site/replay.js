/**
 * Replays Python's first messages, recorded when the site was built. The page applies them
 * immediately. When Python is ready and sends the same messages, the page skips them, so that the
 * visitor's changes are kept.
 */

import { read } from "../transport/port/wire.js";

/** @import {Packet} from "../transport/port/wire.js" */

export class Replay {
  /**
   * @param {Packet[]} packets @param {Record<string, string>} answers files of prerendered answers,
   *   by the message that they answer
   */
  constructor(packets, answers) {
    this.answers = answers;
    this.expected = packets.flatMap(({ text, buffers }) => entriesOf(text, buffers));
  }

  /**
   * Returns the prerendered answer to a message, if the page is still in its first state.
   * @param {string} text the message @returns {string | undefined} the file of the answer
   */
  answer(text) {
    const [kind, number, content] = JSON.parse(text); // without the stamp
    const answer = this.answers[JSON.stringify([kind, number, content])];
    // After any other change, or after one answer, prerendered answers no longer apply.
    if (answer || !isLooking(kind, content)) this.answers = {};
    return answer;
  }

  /**
   * Returns the part of Python's message that was not replayed; null if there is none.
   * @param {Packet} packet
   */
  news({ text, buffers }) {
    if (this.expected.length === 0) return { text, buffers };
    const fresh = entriesOf(text, buffers).filter((entry) => !this.isKnown(entry));
    if (fresh.length === 0) return null;
    return { text: `[${fresh.map((entry) => entry.text).join()}]`, buffers };
  }

  /** @param {Entry} entry */
  isKnown(entry) {
    const [next] = this.expected;
    if (next?.text !== entry.text) {
      this.expected = []; // all later messages are new
      return false;
    }
    this.expected.shift();
    return next.buffers.every((buffer, k) => areEqual(buffer, entry.buffers[k]));
  }
}

const LOOKING = new Set(["ready", "visible", "ack", "hover", "place", "begin", "leave"]);

/**
 * Returns whether a message changes nothing.
 * @param {string} kind @param {{type: string} & object} content
 */
function isLooking(kind, content) {
  if (kind === "compare") return true;
  return kind === "message" ? LOOKING.has(content.type) : "dark" in content;
}

/** @typedef {{text: string, buffers: ArrayBuffer[]}} Entry */

/** @param {string} text @param {ArrayBuffer[]} buffers @returns {Entry[]} */
function entriesOf(text, buffers) {
  return JSON.parse(text).map((/** @type {object} */ entry) => {
    const own = JSON.stringify(entry);
    return { text: own, buffers: buffersOf(read(own, buffers)) };
  });
}

/** @param {unknown} value @returns {ArrayBuffer[]} */
function buffersOf(value) {
  if (value instanceof ArrayBuffer) return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(buffersOf) : [];
}

/** @param {ArrayBuffer} a @param {ArrayBuffer} b */
function areEqual(a, b) {
  if (a.byteLength !== b.byteLength) return false;
  const [left, right] = [new Uint8Array(a), new Uint8Array(b)];
  return left.every((x, k) => x === right[k]);
}
