/** Delivers Python's messages in order, and inflates texts that were sent deflated. */

/**
 * @typedef {object} FromPython
 * @property {string} [text]
 * @property {string} [version] version of the server's files, in the first message
 * @property {boolean} [deflated] whether the deflated text is the first part of `bytes`
 * @property {ArrayBuffer} [bytes] all buffers, concatenated
 * @property {number[]} [lengths] lengths of the buffers, in bytes
 */

/**
 * Returns a receiver that passes messages on in order, although inflating a text is asynchronous.
 * @param {(text: string, buffers: ArrayBuffer[]) => void} take
 * @returns {(message: FromPython) => void}
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
