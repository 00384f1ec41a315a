/** The frame as a component of Panel's: a server is at the other end. */

import { PageFrame } from "../frame/frame.js";

/**
 * What is used of the model.
 * @typedef {object} FrameModel
 * @property {string} page_title
 * @property {string} picture
 * @property {number} frame_height
 * @property {(message: object) => void} send_msg
 * @property {(event: string, listener: (event: any) => void) => void} on
 */

/** @param {{model: FrameModel}} given */
export function render({ model }) {
  const el = document.createElement("div");
  const shown = {
    title: model.page_title,
    picture: model.picture,
    height: model.frame_height,
  };
  const frame = new PageFrame(el, shown, {
    send: (message, buffers) => model.send_msg({ ...message, buffers }),
  });
  model.on("msg:custom", ({ data }) => frame.hear(data, data.buffers ?? []));
  model.on("remove", () => frame.remove());
  return el;
}
