/** What Python says through the port, with the texts that it sends deflated. */

/**
 * @typedef {object} Told
 * @property {string} [text]
 * @property {boolean} [deflated] whether the text stands, deflated, before the other bytes
 * @property {ArrayBuffer} [bytes] all that stand beside it, one after the other
 * @property {number[]} [lengths]
 */

/**
 * What takes what is told, in its order, though it takes time to inflate a text.
 * @param {(text: string, buffers: ArrayBuffer[]) => void} take
 * @returns {(told: Told) => void}
 */
export function inOrder(take) {
  /** @type {Promise<void> | null} */
  let last = null;
  return ({ text = "", deflated, bytes, lengths }) => {
    const pieces = bytes && lengths ? parts(bytes, lengths) : [];
    if (!deflated && !last) {
      take(text, pieces);
      return;
    }
    const whole = deflated ? inflated(pieces.shift() ?? new ArrayBuffer(0)) : text;
    const mine = Promise.all([whole, last])
      .then(([all]) => take(all, pieces))
      .catch((error) => reportError(error))
      .then(() => {
        if (last === mine) last = null;
      });
    last = mine;
  };
}

/** @param {ArrayBuffer} bytes */
function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** @param {ArrayBuffer} bytes @param {number[]} lengths */
function parts(bytes, lengths) {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return bytes.slice(end - length, end);
  });
}
