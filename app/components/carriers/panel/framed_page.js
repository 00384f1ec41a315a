/** Shows the iframe as a Panel component, connected to a server. */

import { onMessage } from "../../shared/model.js";
import { PageFrame } from "../frame/frame.js";

/**
 * @import {Model} from "../../shared/model.js"
 * @import {FromPython} from "../frame/frame.js"
 *
 * @typedef {{page_title: string, picture: string, frame_height: number}} Properties
 */

/** @param {{model: Model<Properties>}} given */
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
  onMessage(model, (/** @type {FromPython & {buffers: ArrayBuffer[]}} */ message) => {
    frame.receive(message, message.buffers);
  });
  model.on("remove", () => frame.remove());
  return el;
}
