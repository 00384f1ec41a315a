/** Shows the iframe as a notebook widget, connected to the kernel. */

import { PageFrame } from "../frame/frame.js";

/**
 * The parts of an anywidget model that are used here.
 * @typedef {object} WidgetModel
 * @property {(name: string) => any} get
 * @property {(message: object, callbacks: undefined, buffers: ArrayBuffer[]) => void} send
 * @property {(event: string, listener: (message: any, buffers: DataView[]) => void) => void} on
 * @property {(event: string, listener: (message: any, buffers: DataView[]) => void) => void} off
 */

/**
 * @param {{model: WidgetModel, el: HTMLElement}} widget @returns {() => void} removes the widget
 */
export function widget({ model, el }) {
  const shown = {
    title: model.get("title"),
    picture: model.get("picture"),
    height: model.get("height"),
  };
  const frame = new PageFrame(el, shown, {
    send: (message, buffers) => model.send(message, undefined, buffers),
  });
  /** @param {any} message @param {DataView[]} buffers */
  const receive = (message, buffers) => frame.receive(message, (buffers ?? []).map(bytesOf));
  model.on("msg:custom", receive);
  const showStill = hideStill(shown.picture);
  return () => {
    showStill();
    model.off("msg:custom", receive);
    frame.remove();
  };
}

/** @param {DataView} view @returns {ArrayBuffer} a copy of the viewed bytes */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));
}

/**
 * Hides the static picture in the notebook's output, which is for readers without widgets.
 * @param {string} picture @returns {() => void} shows the picture again
 */
function hideStill(picture) {
  const [, name] = /<svg[^>]* id="([\w-]+)"/.exec(picture) ?? [];
  if (!name) return () => {};
  const images = document.querySelectorAll(`img[src*="${name}"], svg[id="${name}"]`);
  const stills = [...images].filter((each) => !each.closest(".tinkerformer-frame"));
  const outputs = stills.map((each) => each.closest(".jp-OutputArea-child") ?? each);
  for (const each of outputs) each.setAttribute("hidden", "");
  const style = document.createElement("style");
  style.textContent = ".jp-OutputArea-child[hidden] { display: none; }";
  document.head.append(style);
  return () => {
    for (const each of outputs) each.removeAttribute("hidden");
    style.remove();
  };
}
