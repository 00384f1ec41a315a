/** The largest message that may be sent: Python says it once, and it is checked before sending. */

/**
 * @import {Packet} from "./wire.js"
 * @typedef {{letters: number, items: number, bytes: number}} Limits of a text, of a list, of all
 */

/** What is written around a text, and around each piece of bytes: more than it ever is. */
const AROUND = 1000;
/** A letter of a text in a text has so many bytes at most. */
const MOST_OF_LETTER = 7;

/**
 * How large something is on its way, in bytes: a text travels as a text within a text, in which
 * each quotation mark has two letters more.
 * @param {Packet} packet
 */
function sizeOf({ text, buffers }) {
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength + AROUND, AROUND);
  return bytes + new Blob([JSON.stringify(text)]).size;
}

/**
 * Why something cannot be sent, a sentence; empty if it can.
 * @param {object} content @param {Packet} packet @param {Limits} limits
 * @param {boolean} isLong whether a text in it may be long
 */
export function wrongIn(content, packet, limits, isLong) {
  const { bytes } = limits;
  const isSmall = MOST_OF_LETTER * packet.text.length + AROUND < bytes && !packet.buffers.length;
  const size = isSmall ? 0 : sizeOf(packet);
  return tooLarge(size, limits) || (isLong ? "" : longIn(content, limits));
}

/** Why something of this size cannot be sent. @param {number} size @param {Limits} limits */
export function tooLarge(size, { bytes }) {
  if (size <= bytes) return "";
  const [takes, most] = [size, bytes].map(megabytes);
  return (
    `This is too large to be sent: it takes ${takes} MB on its way, ` +
    `and ${most} MB are the most.`
  );
}

/** @param {unknown} value @param {Limits} limits @returns {string} */
function longIn(value, limits) {
  if (typeof value === "string")
    return value.length > limits.letters
      ? `A text has at most ${count(limits.letters)} letters here, ` +
          `and this one has ${count(value.length)}.`
      : "";
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return "";
  if (Array.isArray(value) && value.length > limits.items)
    return (
      `At most ${count(limits.items)} can be sent at once, ` +
      `and these are ${count(value.length)}.`
    );
  for (const each of Object.values(value)) {
    const wrong = longIn(each, limits);
    if (wrong) return wrong;
  }
  return "";
}

/** @param {number} n */
const count = (n) => n.toLocaleString("en-US");

/** Rounded up: what is too large is said to be more than the most. @param {number} bytes */
const megabytes = (bytes) =>
  (Math.ceil((bytes / (1 << 20)) * 10) / 10).toFixed(1).replace(".0", "");
