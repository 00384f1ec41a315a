/** Draws bars of the probability of a word without each of several parts; they can be pressed. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { drawnFrom } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {object} EffectRow see effect_bars.py
 * @property {string} label @property {number} probability @property {string} change
 * @property {string} writes @property {boolean} is_other @property {boolean | null} is_out
 * @property {string} does
 *
 * @typedef {{label: string, conclusion: string, now: number}} Head
 *
 * @typedef {object} Properties
 * @property {EffectRow[]} rows @property {Head} head
 */

/** @param {Component<Properties>} component */
export function render({ model }) {
  return drawnFrom(
    model,
    ["rows", "head"],
    () => html`<div class="control effect-bars">
      <p class="conclusion">${model.head.conclusion}</p>
      <ul aria-label=${model.head.label}>
        ${model.rows.map((row, k) =>
          line(row, model.head.now, () => model.send_msg({ type: "press", row: k })),
        )}
      </ul>
    </div>`,
  );
}

/** @param {EffectRow} row @param {number} now @param {() => void} press */
const line = (row, now, press) => html`<li><button type="button" class="effect" title=${row.does}
  aria-label="${row.does}: ${row.change}, ${row.writes}"
  aria-pressed=${row.is_out ?? nothing} @click=${press}>
  <span class="name">${row.label}</span>
  <span class="track" aria-hidden="true">
    <i class="fill" style="width: ${100 * row.probability}%"></i>
    <i class="now" style="left: ${100 * now}%"></i>
  </span>
  <span class="change">${row.change}</span>
  <span class=${row.is_other ? "writes other" : "writes"}>${row.writes}</span>
</button></li>`;
