/**
 * Decodes the bytes of a frame or an orbit, in the format of `wire.py`. Nothing is copied: typed
 * arrays are views into the message.
 */

const MAGIC = 0x524d4654;
const HEADER = 8;
const FIELDS = 5;

/**
 * @typedef {object} WireEntry one matrix of a message
 * @property {number} index position in the manifest
 * @property {number} rows
 * @property {number} cols
 * @property {Float32Array} values the values of all frames, concatenated
 * @property {Float32Array | null} gradients in the same layout, while gradients are shown
 * @property {Uint8Array | null} flags of one matrix
 */

/**
 * @param {ArrayBuffer} buffer
 * @returns {{kind: number, version: number, seq: number, frames: number, holds: number, entries:
 *   WireEntry[]}} `holds` is the page version that this frame completes
 * @throws {Error} if these are not bytes for the board
 */
export function decode(buffer) {
  const header = new Int32Array(buffer, 0, HEADER);
  const [magic, kind, version, seq, count, frames, holds, second] = header;
  if (magic !== MAGIC) throw new Error("not a message for the board");
  const table = new Int32Array(buffer, 4 * HEADER, FIELDS * count);
  const floats = 4 * HEADER + 4 * FIELDS * count;
  let total = 0;
  for (let k = 0; k < table.length; k += FIELDS)
    total += frames * table[k + 2] * table[k + 3] * (second ? 2 : 1);
  const marks = floats + 4 * total;
  const entries = [];
  for (let k = 0; k < count; k++) {
    const [index, offset, rows, cols, flags] = table.subarray(FIELDS * k, FIELDS * (k + 1));
    const length = frames * rows * cols;
    const at = floats + 4 * offset;
    entries.push({
      index,
      rows,
      cols,
      values: new Float32Array(buffer, at, length),
      gradients: second ? new Float32Array(buffer, at + 4 * length, length) : null,
      flags: flags < 0 ? null : new Uint8Array(buffer, marks + flags, rows * cols),
    });
  }
  return { kind, version, seq, frames, holds, entries };
}
