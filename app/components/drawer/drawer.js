/** Buttons that open and close the drawer; the page owns its frame and its close button. */

import { asControl } from "../shared/control.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { OneStop } from "../shared/one_stop.js";

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
    for (const [name, label] of model.drawers) {
      const button = buttons.get(name);
      if (button) setText(button, label);
    }
    for (const [name, button] of buttons)
      setAttribute(button, "aria-expanded", String(name === model.value));
  };
  const listening = new AbortController();
  const { signal } = listening;
  const close = () => {
    const button = buttons.get(model.value);
    model.value = "";
    button?.focus({ preventScroll: true });
  };
  document.addEventListener("tinkerformer:close-drawer", close, { signal });
  const frame = document.querySelector("#drawer");
  const bindings = [{ keys: ["Escape"], does: "closes it", run: close }];
  if (frame) bindKeys(frame, "In the drawer", bindings, { signal });
  model.on("remove", () => listening.abort());
  model.on("drawers", show);
  model.on("value", show);
  show();
  const line = make("div", { class: "control line", role: "toolbar" }, ...buttons.values());
  new OneStop(line, "On the buttons of the drawer");
  return asControl(model, line);
}
