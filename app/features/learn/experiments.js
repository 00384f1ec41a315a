/** Shows buttons that remove one part of the model, and the measured effect. */

import { withNames } from "../../components/shared/cell_name.js";
import { html } from "../../components/shared/lit-html.js";
import { drawnFrom } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {object} Properties
 * @property {string} value @property {[name: string, label: string][]} options
 * @property {string} about
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  const choose = (/** @type {string} */ name) => {
    model.value = name;
  };
  return drawnFrom(
    model,
    ["value", "options", "about"],
    () => html`<section class="control">
      <h2>Break it</h2>
      <div class="buttons" role="group" aria-label="Break it">
        ${model.options.map(
          ([name, label]) => html`<button type="button" class="button"
            aria-pressed=${name === model.value} @click=${() => choose(name)}>${label}</button>`,
        )}
      </div>
      <p class="message" role="status">${withNames(model.about)}</p>
    </section>`,
  );
}
