/** Checks the size of a message before it is sent, against the limits that Python sends once. */

/**
 * @import {Packet} from "./wire.js"
 * @typedef {{letters: number, items: number, bytes: number}} Limits the largest string and list,
 *   and the largest message in bytes
 */

/** An upper bound of the bytes that the protocol adds to a text and to each buffer. */
const AROUND = 1000;
/** The most bytes that one character takes in JSON inside a JSON string. */
const MOST_OF_LETTER = 7;

/**
 * Returns a message's size in bytes as transmitted: JSON inside a JSON string, where each quotation
 * mark takes two extra characters.
 * @param {Packet} packet
 */
function sizeOf({ text, buffers }) {
  const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength + AROUND, AROUND);
  return bytes + new Blob([JSON.stringify(text)]).size;
}

/**
 * Returns a sentence with the reason why a message cannot be sent; empty if it can be sent.
 * @param {object} content @param {Packet} packet @param {Limits} limits
 * @param {boolean} isLong whether long strings are allowed
 */
export function wrongIn(content, packet, limits, isLong) {
  const { bytes } = limits;
  const isSmall = MOST_OF_LETTER * packet.text.length + AROUND < bytes && !packet.buffers.length;
  const size = isSmall ? 0 : sizeOf(packet);
  return tooLarge(size, limits) || (isLong ? "" : longIn(content, limits));
}

/**
 * Returns a sentence if a message of this size is too large, or else an empty string.
 * @param {number} size @param {Limits} limits
 */
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

/**
 * Rounds up, so that a size that is too large never looks equal to the limit.
 * @param {number} bytes
 */
const megabytes = (bytes) =>
  (Math.ceil((bytes / (1 << 20)) * 10) / 10).toFixed(1).replace(".0", "");
