/** Shows the iframe as a Panel component, connected to a server. */

import { onMessage } from "../../components/shared/model.js";
import { PageFrame } from "../frame/frame.js";

/**
 * @import {Model} from "../../components/shared/model.js"
 * @import {FromPython} from "../frame/frame.js"
 *
 * @typedef {{title: string, picture: string, around: string}} Constants
 * @typedef {{esm_constants: Constants, theme: string, disabled: boolean}} Properties
 */

/** @param {{model: Model<Properties>}} given */
export function render({ model }) {
  const el = document.createElement("div");
  el.style.cssText = "width: 100%; height: 100%;";
  const { title, picture, around } = model.esm_constants;
  const frame = new PageFrame(
    el,
    { title, picture, height: "100%", around },
    {
      send: (message, buffers) => model.send_msg({ ...message, buffers }),
    },
  );
  onMessage(model, (/** @type {FromPython & {buffers: ArrayBuffer[]}} */ message) => {
    frame.receive(message, message.buffers);
  });
  const wear = () => frame.wear(model.theme);
  const close = () => frame.disable(model.disabled);
  model.on("theme", wear);
  model.on("disabled", close);
  model.on("remove", () => frame.remove());
  wear();
  close();
  return el;
}
