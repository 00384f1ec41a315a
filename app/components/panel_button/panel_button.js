/** A button that opens a panel of the page and shows the panel's most important value. */

import { withNames } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { html } from "../shared/lit-html.js";
import { untilRemoved } from "../shared/model.js";
import { drawn } from "../shared/template.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{value: string, panel: string, about: string}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const panel = document.getElementById(model.panel);
  const isOpen = () => panel?.matches(":popover-open") ?? false;
  const { node, show } = drawn(
    () => html`<div class="control"><button type="button" class="button opener"
      aria-expanded=${isOpen()} aria-label="${model.value}, ${model.label}"
      title=${model.about || model.label}
      .popoverTargetElement=${panel}
      ><span>${withNames(model.value)}</span><span aria-hidden="true">▾</span></button></div>`,
  );
  const signal = untilRemoved(model);
  panel?.addEventListener("toggle", show, { signal });
  for (const name of ["value", "label"]) model.on(name, show);
  return asControl(model, node);
}
