/** Buttons that open and close the drawer; the page owns its frame and its close button. */

import { asControl } from "../shared/control.js";
import { make, setAttribute } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {ControlProperties & {
 *   drawers: readonly [name: string, label: string][], value: string
 * }} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  for (const [name, label] of model.drawers) {
    const onclick = () => {
      model.value = model.value === name ? "" : name;
    };
    buttons.set(name, make("button", { type: "button", onclick }, label));
  }
  const show = () => {
    for (const [name, button] of buttons)
      setAttribute(button, "aria-expanded", String(name === model.value));
  };
  const listening = new AbortController();
  document.addEventListener(
    "tinkerformer:close-drawer",
    () => {
      const button = buttons.get(model.value);
      model.value = "";
      button?.focus({ preventScroll: true });
    },
    { signal: listening.signal },
  );
  model.on("remove", () => listening.abort());
  model.on("value", show);
  show();
  return asControl(model, make("div", { class: "control line" }, ...buttons.values()));
}
