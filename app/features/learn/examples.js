/** Shows unseen pairs: the source, the model's output, and the mistakes. */

import { html } from "../../components/shared/lit-html.js";
import { drawnFrom } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {[source: string, right: string, written: string]} Example
 * @typedef {{rows: Example[], unit: string, note: string}} Properties
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  return drawnFrom(
    model,
    ["rows", "unit", "note"],
    () => html`<section class="control">
      <h2>Unseen examples</h2>
      <p class="counted" role="status">${model.note}</p>
      <p class="message" ?hidden=${model.rows.length > 0}
        >They are shown as soon as they are computed.</p>
      <table class="examples" aria-label="Unseen examples"><tbody>${model.rows.map(
        (row, at) => html`<tr>
          <th scope="row"><button type="button" class="example" title="Bring it to the page"
            @click=${() => model.send_msg({ type: "choose", row: at })}>${row[0]}</button></th>
          ${written(row, model.unit === "word")}
        </tr>`,
      )}</tbody></table>
    </section>`,
  );
}

/** Returns the model's output with its mistakes. @param {Example} row @param {boolean} isWords */
function written([, right, text], isWords) {
  if (text === right) return html`<td class="right">${text} ✓</td>`;
  const [parts, wanted] = [text, right].map((each) => (isWords ? each.split(" ") : [...each]));
  return html`<td>${parts.map((part, at) => [
    at && isWords ? " " : "",
    part === wanted[at] ? part : html`<span class="wrong">${part || "∅"}</span>`,
  ])}<span class="should">✗ should be ${right}</span></td>`;
}
