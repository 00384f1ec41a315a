/** The port of a page that Panel serves. */

import { loader } from "../port/classes.js";
import { Shell } from "../port/shell.js";

/**
 * @typedef {object} Told what Python says
 * @property {string} text
 * @property {ArrayBuffer} [bytes] all that stand beside it, one after the other
 * @property {number[]} [lengths]
 */

/** @param {{model: any}} port */
export function render({ model }) {
  const shell = new Shell({
    load: loader(),
    region: (name) => document.querySelector(`[data-region="${name}"]`),
    loadBokeh: async () => {}, // it is what brought this here
    post: ({ text, buffers }) => model.send_msg({ text, buffers }),
  });
  model.on("msg:custom", (/** @type {Told} */ { text, bytes, lengths }) => {
    shell.receive(text, bytes && lengths ? parts(bytes, lengths) : []);
  });
  model.send_msg({});
}

/** @param {ArrayBuffer} bytes @param {number[]} lengths */
function parts(bytes, lengths) {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return bytes.slice(end - length, end);
  });
}
