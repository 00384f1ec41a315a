/** A button that opens a panel of the page, and shows the panel's most important value. */

import { announce } from "../shared/announce.js";
import { setNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { make, setAttribute } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{value: string, panel: string}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const ask = () => announce("ask-panel", { name: model.panel });
  const text = make("span", {});
  const button = make(
    "button",
    { type: "button", class: "button opener", "aria-expanded": "false", onclick: ask },
    text,
    make("span", { "aria-hidden": "true" }, "▾"),
  );
  const show = () => {
    setNames(text, model.value);
    const name = `${model.value}, ${model.label}`;
    setAttribute(button, "aria-label", name);
    setAttribute(button, "title", model.label);
  };
  const listening = new AbortController();
  document.addEventListener(
    "tinkerformer:panel",
    ({ detail }) => {
      if (detail.name === model.panel) {
        setAttribute(button, "aria-expanded", String(detail.open));
        if (detail.focus) button.focus({ preventScroll: true });
      }
    },
    { signal: listening.signal },
  );
  model.on("remove", () => listening.abort());
  for (const name of ["value", "label"]) model.on(name, show);
  show();
  return asControl(model, make("div", { class: "control" }, button));
}
