/** Draws a table of heads or hidden units, with the results without each part, and switches. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { classes, drawnFrom } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {object} HeadRow see head_table.py
 * @property {string} label @property {string} right @property {string} right_change
 * @property {number} share @property {string} probability @property {string} change
 * @property {number} fall @property {string} writes @property {boolean} is_other
 * @property {string} reads @property {boolean} silent
 *
 * @typedef {{label: string, conclusion: string, part: string, right: string, probability: string,
 *   writes: string, reads: string, now: string, right_now: string, probability_now: string,
 *   writes_now: string}} Head titles, and the row of the unchanged model; "" for a missing column
 *
 * @typedef {object} Properties
 * @property {HeadRow[]} rows @property {Head} head
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  const press = (/** @type {number} */ row) => model.send_msg({ type: "press", row });
  return drawnFrom(
    model,
    ["rows", "head"],
    () => html`<div class=${classes("control head-table", !model.head.right && "no-right")}>
      <p class="conclusion">${model.head.conclusion}</p>
      <div class="head-table-scroll" tabindex="0" role="group"
        aria-label="Table: ${model.head.label}">
        <table aria-label=${model.head.label}>
          <thead>${model.head.label ? titles(model.head) : nothing}</thead>
          <tbody>${model.rows.map((row, k) => line(row, model.head, () => press(k)))}</tbody>
        </table>
      </div>
    </div>`,
  );
}

/** Returns the titles of the columns, and the row of the unchanged model. @param {Head} head */
const titles = (head) => html`
  <tr>
    <th scope="col">${head.part}</th>
    ${head.right ? html`<th scope="col" colspan="2" class="head-number">${head.right}</th>` : ""}
    <th scope="col" colspan="2" class="head-number">${head.probability}</th>
    <th scope="col">${head.writes}</th>
    ${head.reads ? html`<th scope="col">${head.reads}</th>` : nothing}
    <td></td>
  </tr>
  <tr class="head-now">
    <th scope="row">${head.now}</th>
    ${head.right ? html`<td class="head-number">${head.right_now}</td><td></td>` : nothing}
    <td class="head-number">${head.probability_now}</td>
    <td></td>
    <td>${head.writes_now}</td>
    ${head.reads ? html`<td></td>` : nothing}
    <td></td>
  </tr>`;

/** @param {HeadRow} row @param {Head} head @param {() => void} press */
function line(row, head, press) {
  const click = (/** @type {MouseEvent} */ event) => {
    if (!(event.target instanceof Element && event.target.closest("button"))) press();
  };
  return html`<tr class=${row.silent ? "silent" : ""} @click=${click}>
    <th scope="row">${row.label}</th>
    <td class="head-number" ?hidden=${!head.right}>${row.right}</td>
    <td class="head-number" ?hidden=${!head.right}>
      ${bar(Math.abs(row.share))}<span>${row.right_change}</span>
    </td>
    <td class="head-number">${row.probability}</td>
    <td class="head-number">${bar(row.fall, Boolean(head.right))}<span>${row.change}</span></td>
    <td class=${row.is_other ? "other" : ""}>${row.writes}</td>
    <td ?hidden=${!head.reads}>${row.reads}</td>
    <td><button type="button" class="button" aria-pressed=${row.silent}
      aria-label="Silence ${row.label}" @click=${press}>
      ${row.silent ? "silenced" : "silence"}
    </button></td>
  </tr>`;
}

/** @param {number} share @param {boolean} [hidden] whether another column sorts the rows */
const bar = (share, hidden = false) =>
  html`<i class="head-bar" aria-hidden="true" ?hidden=${hidden}
    style="width: ${Math.round(60 * Math.min(1, share))}px"></i>`;
