/** Draws softmax at a temperature: logits on the left, the resulting shares on the right. */

import { withNames } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { MINUS, shortText } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { drawn } from "../../components/shared/template.js";
import { BarAxis } from "../kit/bars.js";
import { withHandles } from "../kit/handle.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Press} from "../kit/handle.js"
 *
 * @typedef {object} WordShare
 * @property {string} label @property {number} column −1: all others together
 * @property {number | null} logit null where a mask hides it
 * @property {number} share @property {number} own its share at the model's own temperature
 *
 * @typedef {{name: string, value: number | null, text: string}} Limit
 *
 * @typedef {object} HeatData
 * @property {WordShare[]} rows @property {number} low @property {number} high
 * @property {number} temperature @property {number} own @property {string} own_text
 * @property {boolean} settable @property {Limit[]} limits
 */

const EVEN = 1000; // a temperature that represents ∞
/** The steps of the slider; its middle is T = 1, and its ends are 0 and ∞. */
const STEPS = 200;
const DECADES = 1.6;
const TICKS = [0, 0.1, 0.3, 1, 3, 10, EVEN]; // values labeled below the slider

/** @param {Component<{data: HeatData}>} component */
export function render({ model }) {
  const axis = new BarAxis(model);
  const heat = new Paced(model);
  let dragged = 1; // the temperature of the slider during a drag

  const { node, show } = drawn(() => {
    const { rows = [], low, high, settable, limits = [] } = model.data;
    const { own, own_text: ownText, temperature } = model.data;
    axis.show(low, high);
    const best = Math.max(...rows.map(({ share, column }) => (column < 0 ? 0 : share)));
    const shown = heat.underWay ? dragged : temperature;
    return html`<section class="control idea" aria-label="Softmax at a temperature">
      <div class="heat">
        <span>temperature T</span>
        <input type="range" min="0" max=${STEPS} step="1" aria-label="temperature"
          aria-valuetext=${temperatureText(temperature)}
          @input=${(/** @type {Event} */ { currentTarget }) => {
            dragged = temperatureAt(/** @type {HTMLInputElement} */ (currentTarget).valueAsNumber);
            heat.say({ type: "temperature", value: dragged });
            show();
          }}>
        <strong>${temperatureText(shown)}</strong>
        <div class="ticks" aria-hidden="true">${TICKS.map(tick)}</div>
      </div>
      <div class="limits">${limits.map(
        ({ name, value, text }) => html`<button type="button" class="button"
          aria-pressed=${(value ?? own) === temperature}
          @click=${() => heat.say({ type: "temperature", value })}
          ><strong>${withNames(name)}</strong><span>${text}</span></button>`,
      )}</div>
      <div class="head" aria-hidden="true">
        <span></span><span>logits; drag an end</span><span></span>
        <span>softmax of logits ÷ T; dashed: at ${withNames(ownText)}</span>
      </div>
      <ul class="bars" role="list" style=${axis.zero}>
        ${rows.map((row) => line(axis, settable, row, row.share === best))}
      </ul>
    </section>`;
  });
  const range = /** @type {HTMLInputElement} */ (node.querySelector("input"));
  const take = () => {
    if (!heat.underWay) range.value = String(placeOf(model.data.temperature));
    show();
  };
  onChange(model, ["data"], take);
  take();
  return asControl(model, withHandles(node));
}

/**
 * @param {BarAxis} axis @param {boolean} settable whether the logits can be set
 * @param {WordShare} row @param {boolean} isBest
 */
function line(axis, settable, { label, column, logit, share, own }, isBest) {
  const isOthers = column < 0;
  const set = (/** @type {number} */ value, /** @type {Press} */ press) =>
    axis.say({ type: "logit", column, value, ...press });
  const grip =
    logit === null || !settable
      ? nothing
      : axis.grip(
          `logit of ${label}`,
          logit,
          `${shortText(logit)}, share ${share.toFixed(3)}`,
          set,
        );
  return html`<li class=${isOthers ? "others" : isBest ? "best" : ""}>
    <span class="label" title=${label}>${label}</span>
    <div class="track signed">${logit === null ? nothing : axis.bar(0, logit)}${
      logit === null && !isOthers
        ? html`<span class="hidden-by-mask">−∞, hidden by the mask</span>`
        : nothing
    }${grip}</div>
    <span class="text">${logit === null ? "" : logitText(logit)}</span>
    <div class="track shares" aria-hidden="true">
      <span class="bar share" style="width: ${100 * share}%"></span>
      <span class="own" style="left: ${100 * own}%"></span>
    </div>
    <span class="text share-text">${share.toFixed(3)}</span>
  </li>`;
}

/** Returns a label at the place of a temperature on the slider. @param {number} temperature */
function tick(temperature) {
  const share = placeOf(temperature) / STEPS;
  return html`<span style="left: calc(8px + ${share} * (100% - 16px))">${
    temperature >= EVEN ? "∞" : temperature
  }</span>`;
}

/** @param {number} place of the slider */
function temperatureAt(place) {
  if (place <= 0) return 0;
  if (place >= STEPS) return EVEN;
  return Number((10 ** ((DECADES * (place - STEPS / 2)) / (STEPS / 2))).toPrecision(3));
}

/** @param {number} temperature */
function placeOf(temperature) {
  if (temperature <= 0) return 0;
  if (temperature >= EVEN) return STEPS;
  const place = STEPS / 2 + (Math.log10(temperature) / DECADES) * (STEPS / 2);
  return Math.round(Math.min(STEPS - 1, Math.max(1, place)));
}

/** @param {number} temperature */
function temperatureText(temperature) {
  if (temperature >= EVEN) return "T → ∞";
  return temperature <= 0 ? "T → 0" : `T = ${shortText(Number(temperature.toPrecision(3)))}`;
}

/** Formats two decimals, so that decimal points are aligned. @param {number} logit */
function logitText(logit) {
  return Math.abs(logit) < 1000 ? logit.toFixed(2).replace("-", MINUS) : shortText(logit);
}
