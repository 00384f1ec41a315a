/**
 * Shows the choice of training data, at the top of Train, and the button for the user's own data.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { drawn, optionsOf } from "../../components/shared/template.js";
import { OwnData } from "./own_data.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {OwnDataProperties} from "./own_data.js"
 *
 * @typedef {object} ChoiceProperties
 * @property {string} value @property {[name: string, label: string][]} options
 * @property {string} note
 * @property {string} own label of the button that opens the dialog
 *
 * @typedef {ChoiceProperties & OwnDataProperties & ControlProperties} Properties
 */

/** @param {{model: Model<Properties>}} component */
export function render({ model }) {
  const ownData = new OwnData(model);
  const change = () => {
    model.value = choice.value;
  };
  const { node, show: draw } = drawn(
    () => html`<section class="control train-on" aria-label="Choice of data">
      <label for="learn-data">Train on</label>
      <select id="learn-data" @change=${change}>${optionsOf(model.options)}</select>
      <button type="button" class="button" aria-haspopup="dialog" @click=${() => ownData.open()}
        >${model.own}</button>
      <p class="message" title=${model.note || nothing}>${model.note}</p>
      ${ownData.dialog}
    </section>`,
  );
  const choice = /** @type {HTMLSelectElement} */ (node.querySelector("select"));
  const show = () => {
    draw();
    choice.value = model.value;
  };
  onChange(model, ["value", "options", "note", "own"], show);
  show();
  return asControl(model, node);
}
