/** Draws a logit as a running sum: the bar of a step begins at the end of the previous bar. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { shortText } from "../../components/shared/number_format.js";
import { drawnFrom } from "../../components/shared/template.js";
import { BarAxis } from "../kit/bars.js";
import { withHandles } from "../kit/handle.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Press} from "../kit/handle.js"
 *
 * @typedef {object} SumStep
 * @property {string} label @property {number} level
 * @property {number} part −1: the whole step @property {number} from @property {number} to
 * @property {number} value @property {number | null} length of the added vector
 * @property {number | null} stream length of the stream
 * @property {boolean} pulls whether its end can be dragged @property {boolean} unfolded
 * @property {string} title
 *
 * @typedef {object} SumData
 * @property {SumStep[]} rows @property {number} low @property {number} high
 * @property {number} longest vector @property {string} total the logit
 * @property {{of: string, sum: string}[]} sums
 * @property {[name: string, texts: string[]][]} numbers of the row at the unfolded step
 * @property {string[]} columns @property {number} hidden columns @property {string} of the step
 */

/** @param {Component<{data: SumData}>} component */
export function render({ model }) {
  const axis = new BarAxis(model);
  const node = drawnFrom(model, ["data"], () => {
    const { rows = [], low, high, sums = [], numbers, columns, hidden, of } = model.data;
    axis.show(low, high);
    const rest = hidden ? `; ${hidden.toLocaleString("en")} more are not shown` : "";
    return html`<section class="control idea" aria-label="The logit as a running sum">
      <div class="head">
        <span>step along the stream</span><span>the logit, from step to step</span>
        <span class="value">adds</span>
        <span class="lengths-key">
          <span><i class="added"></i>length of what is added </span>
          <span><i class="stream"></i>of the stream after it </span>
        </span>
      </div>
      <ol class="sum" style=${axis.zero}>${rows.map((row) => line(model, axis, row))}</ol>
      <label class="switch-lengths"><input type="checkbox"
        @change=${(/** @type {Event} */ { currentTarget }) => {
          const { checked } = /** @type {HTMLInputElement} */ (currentTarget);
          node.classList.toggle("with-lengths", checked);
        }}> lengths of the vectors, too</label>
      <dl class="figures">
        ${sums.map((each) => html`<dt>${each.of}</dt><dd class="number">${each.sum}</dd>`)}
      </dl>
      <table class="numbers">
        <caption>The numbers of the row themselves, at ${of}${rest}</caption>
        <thead>
          <tr><td></td>${columns?.map((text) => html`<th scope="col">${text}</th>`)}</tr>
        </thead>
        <tbody>
          ${numbers?.map(
            ([name, texts]) =>
              html`<tr><th scope="row">${name}</th>${texts.map(
                (text) => html`<td class="number">${text}</td>`,
              )}</tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  });
  return withHandles(node);
}

/** @param {Component<{data: SumData}>["model"]} model @param {BarAxis} axis @param {SumStep} row */
function line(model, axis, row) {
  const { label, level, part, title, from, to, unfolded, pulls, length, stream } = row;
  const isPart = part >= 0;
  const isStep = !isPart && level >= 0;
  const value = `${row.value >= 0 ? "+" : ""}${shortText(Number(row.value.toFixed(3)))}`;
  const pull = (/** @type {number} */ value, /** @type {Press} */ press) =>
    axis.say({ type: "pull", level, part, value, ...press });
  const name = `${label}, what it adds to the logit`;
  const said = Object.entries({ added: length, stream }).filter(([, x]) => x !== null);
  const width = (/** @type {number | null} */ x) => (100 * (x ?? 0)) / model.data.longest;
  const unfold = () => model.send_msg({ type: "unfold", level });
  const lengths = said.map(([name, x]) => `${name} ${x?.toFixed(2)}`).join(" · ");
  return html`<li class=${isPart ? "part" : isStep ? "step" : "total"}>
    <div class="label" title=${title}>${
      isStep
        ? html`<button type="button" aria-expanded=${unfolded} @click=${unfold}
            ><span>${label}</span></button>`
        : html`<span>${label}</span>`
    }</div>
    <div class="track signed">${axis.bar(from, to)}${
      pulls ? axis.grip(name, row.value, value, pull, to) : nothing
    }</div>
    <span class="value">${isStep || isPart ? value : shortText(Number(to.toFixed(3)))}</span>
    <div class="lengths">
      <div>
        <i class="added" style="width: ${width(length)}%"></i>
        <i class="stream" style="width: ${width(stream)}%"></i>
      </div>
      <span class="number">${lengths}</span>
    </div>
  </li>`;
}
