/**
 * Encodes values as JSON text with binary buffers beside it; `wire.py` describes the format.
 * Buffers are ArrayBuffers, as Panel components expect: converting a Uint8Array to another typed
 * array copies each number, while a typed array can be a view of an ArrayBuffer.
 */

/** @typedef {string | number | boolean | null | undefined | object} Value */
/** @typedef {{text: string, buffers: ArrayBuffer[]}} Packet */

const NUMBERS = new Map([
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["nan", Number.NaN],
]);

/** @param {object} value @returns {Packet} */
export function write(value) {
  /** @type {ArrayBuffer[]} */
  const buffers = [];
  return { text: JSON.stringify(named(value, buffers)), buffers };
}

/** @param {Value} value @param {ArrayBuffer[]} buffers @returns {Value} */
function named(value, buffers) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    const sign = value < 0 ? "-inf" : "inf";
    return { $number: Number.isNaN(value) ? "nan" : sign };
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((x) => named(x, buffers));
  const bytes = bytesOf(value);
  if (bytes) return { $bytes: buffers.push(bytes) - 1 };
  const keys = Object.keys(value);
  const object = Object.fromEntries(
    Object.entries(value).map(([key, x]) => [key, named(x, buffers)]),
  );
  return keys.some((key) => key.startsWith("$")) ? { $object: object } : object;
}

/** @param {object} value */
function bytesOf(value) {
  if (value instanceof ArrayBuffer) return value;
  if (!ArrayBuffer.isView(value)) return null;
  const { buffer, byteOffset, byteLength } = value;
  return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}

/** @param {string} text @param {ArrayBuffer[]} buffers @returns {any} */
export function read(text, buffers) {
  const value = JSON.parse(text);
  // Few messages contain encoded values, and visiting every value of a large message is slow.
  return text.includes('"$') ? filled(value, buffers) : value;
}

/** @param {any} value @param {ArrayBuffer[]} buffers @returns {any} */
function filled(value, buffers) {
  if (Array.isArray(value)) return value.map((x) => filled(x, buffers));
  if (value === null || typeof value !== "object") return value;
  if ("$bytes" in value) return buffers[value.$bytes];
  if ("$number" in value) return NUMBERS.get(value.$number);
  const object = "$object" in value ? value.$object : value;
  return Object.fromEntries(Object.entries(object).map(([key, x]) => [key, filled(x, buffers)]));
}
