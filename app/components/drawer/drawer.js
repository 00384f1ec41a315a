/** Buttons that open and close the drawer. Its frame and its close button belong to the page. */

import { asControl } from "../shared/control.js";
import { bindKeys } from "../shared/keys.js";
import { html } from "../shared/lit-html.js";
import { untilRemoved } from "../shared/model.js";
import { OneStop } from "../shared/one_stop.js";
import { drawn } from "../shared/template.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {ControlProperties & {
 *   drawers: readonly [name: string, label: string][], value: string,
 *   about: Record<string, string>
 * }} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  const press = (/** @type {string} */ name) => () => {
    model.value = model.value === name ? "" : name;
  };
  const { node: line, show } = drawn(
    () =>
      html`<div class="control line" role="toolbar">${model.drawers.map(
        ([name, label]) => html`<button type="button" data-name=${name}
        title=${model.about[name] ?? ""} aria-expanded=${name === model.value}
        @click=${press(name)}>${label}</button>`,
      )}</div>`,
  );
  const signal = untilRemoved(model);
  const close = () => {
    const opener = [...line.querySelectorAll("button")].find(
      ({ dataset }) => dataset.name === model.value,
    );
    model.value = "";
    opener?.focus({ preventScroll: true });
  };
  document.addEventListener("tinkerformer:close-drawer", close, { signal });
  const frame = document.querySelector("#drawer");
  const bindings = [{ keys: ["Escape"], does: "closes it", run: close }];
  if (frame) bindKeys(frame, "In the drawer", bindings, { signal });
  model.on("drawers", show);
  model.on("about", show);
  model.on("value", show);
  new OneStop(line, "On the buttons of the drawer");
  return asControl(model, line);
}
