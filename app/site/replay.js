/**
 * What Python said first when the site was made. The page shows it at once; what Python says of it
 * again, once it is there, is left out, so that what the visitor did meanwhile stays.
 */

import { read } from "../components/carriers/port/wire.js";

/** @import {Packet} from "../components/carriers/port/wire.js" */

export class Replay {
  /** @param {Packet[]} packets @param {Record<string, string>} answers files of them */
  constructor(packets, answers) {
    this.answers = answers;
    this.expected = packets.flatMap(({ text, buffers }) => entriesOf(text, buffers));
  }

  /**
   * What Python will answer, if the page is still as it was then.
   * @param {string} text what is said to it @returns {string | undefined} a file
   */
  answer(text) {
    const [kind, number, content] = JSON.parse(text); // behind it stands when it was said
    const answer = this.answers[JSON.stringify([kind, number, content])];
    // Whatever else is changed, what was written down is no longer so; nor is it twice.
    if (answer || !isLooking(kind, content)) this.answers = {};
    return answer;
  }

  /** What is new in a message of Python's; null: nothing is. @param {Packet} packet */
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
      this.expected = []; // from here on Python says something else
      return false;
    }
    this.expected.shift();
    return next.buffers.every((buffer, k) => areEqual(buffer, entry.buffers[k]));
  }
}

const LOOKING = new Set(["ready", "visible", "ack", "hover", "place"]);

/**
 * Whether nothing is changed by what is said.
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
