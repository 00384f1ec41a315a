/**
 * The bytes of a frame or an orbit, as app/board/wire.py writes them. Nothing is copied: each matrix gets typed
 * arrays that look into the message.
 */

const MAGIC = 0x524d4654;
const FRAME = 1,
  ORBIT = 2;

/**
 * @typedef {{index: number, rows: number, cols: number, values: Float32Array, gradients: Float32Array | null, flags: Uint8Array | null}} Entry
 * values holds `frames` matrices one after the other, and so do gradients, where they are shown.
 */

/**
 * @param {ArrayBuffer | ArrayBufferView} message
 * @returns {{kind: number, version: number, seq: number, frames: number, reply: number, entries: Entry[]}}
 */
export function decode(message) {
  const view = ArrayBuffer.isView(message);
  let buffer = view ? message.buffer : message,
    start = view ? message.byteOffset : 0;
  if (start % 4) {
    // typed arrays want aligned bytes
    buffer = buffer.slice(start, start + message.byteLength);
    start = 0;
  }
  const [magic, kind, version, seq, count, frames, reply, second] = new Int32Array(
    buffer,
    start,
    8,
  );
  if (magic !== MAGIC) throw new Error("not a message for the board");
  const table = new Int32Array(buffer, start + 32, 5 * count);
  const floats = start + 32 + 20 * count;
  let total = 0;
  for (let k = 0; k < count; k++)
    total += frames * table[5 * k + 2] * table[5 * k + 3] * (second ? 2 : 1);
  const marks = floats + 4 * total;
  const entries = [];
  for (let k = 0; k < count; k++) {
    const [index, offset, rows, cols, flags] = table.subarray(5 * k, 5 * k + 5);
    const length = frames * rows * cols,
      at = floats + 4 * offset;
    entries.push({
      index,
      rows,
      cols,
      values: new Float32Array(buffer, at, length),
      gradients: second ? new Float32Array(buffer, at + 4 * length, length) : null,
      flags: flags < 0 ? null : new Uint8Array(buffer, marks + flags, rows * cols),
    });
  }
  return { kind, version, seq, frames, reply, entries };
}
