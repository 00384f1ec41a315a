/**
 * Draws the chain rule at one number x: the gradient of each number y computed from x, the slope
 * of y with respect to x, and their products, which add up to the gradient of x.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import {
  fixed,
  isHandy,
  scientificText,
  shortText,
} from "../../components/shared/number_format.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { BarAxis } from "../kit/bars.js";
import { withHandles } from "../kit/handle.js";
import { TrialView } from "./trial.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Press} from "../kit/handle.js"
 * @import {Trial} from "./trial.js"
 *
 * @typedef {object} ChainLink
 * @property {string} name in words @property {string} label @property {string} place in the model
 * @property {number} slope with respect to the previous link @property {number} gradient
 *
 * @typedef {object} Term
 * @property {number} term its index, −1 for all others together @property {string} name
 * @property {string} label @property {string} place @property {string} words name and place in full
 * @property {string} reads the sentence of the line @property {number | null} gradient
 * @property {number | null} slope null, as is the gradient, for all others together
 * @property {number} from @property {number} to the start and end of its product in the sum
 *
 * @typedef {object} ChainData
 * @property {ChainLink[]} links @property {number} at the shown link
 * @property {boolean} is_loss whether the last link is the loss
 * @property {string} name @property {string} label
 * @property {string} words these three describe the shown number
 * @property {string} next the numbers computed from it, in words
 * @property {string} all the sentence about the sum of the products
 * @property {Trial | null} trial null during a drag @property {number} value
 * @property {number} low @property {number} high the ends of its axis @property {boolean} settable
 * @property {Term[]} rows @property {[number, number]} ends least and greatest partial sum
 * @property {number} gradients the largest size @property {number} slopes the largest size
 * @property {number} total
 * @property {{name: string, label: string, words: string, slope: number}[]} made_of
 * @property {number} more count left out of `made_of` @property {string} why `made_of` is empty
 */

/** @type {Term} */
const TOTAL = {
  ...{ term: -1, name: "added up: the gradient", label: "", place: "", words: "", reads: "" },
  ...{ gradient: null, slope: null, from: 0, to: 0 },
};

/** @param {Component<{data: ChainData}>} component */
export function render({ model }) {
  const view = new ChainView(model);
  onChange(model, ["data"], () => view.show());
  view.show();
  return asControl(model, withHandles(view.node));
}

class ChainView extends FromTemplate {
  /** @param {Component<{data: ChainData}>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.number = new BarAxis(model);
    this.gradients = new BarAxis(model);
    this.slopes = new BarAxis(model);
    this.products = new BarAxis(model);
    this.read = 0; // the line whose sentence is shown
    this.trial = new TrialView();
  }

  show() {
    const { data } = this.model;
    if (!data.rows) return;
    const { low, high, gradients, slopes } = data;
    this.trial.show(data.trial, data.total);
    this.number.show(low, high);
    for (const axis of [this.gradients, this.slopes, this.products])
      axis.isHeld = this.number.isHeld;
    this.gradients.show(-gradients, gradients);
    this.slopes.show(-slopes, slopes);
    const [from, to] = data.ends;
    const room = 0.04 * (to - from || 1);
    this.products.show(from - room, to + room);
    this.readOut(Math.min(this.read, data.rows.length - 1));
  }

  /** Shows the sentence of a line, and marks the line. @param {number} at */
  readOut(at) {
    this.read = Math.max(0, at);
    this.draw();
  }

  template() {
    const {
      rows = [],
      trial,
      name,
      label,
      words,
      value,
      total,
      next,
      all,
      settable,
    } = this.model.data;
    const { number } = this;
    const say = (/** @type {number} */ value, /** @type {Press} */ press) =>
      number.say({ type: "value", value, ...press });
    const typed = (/** @type {Event} */ { currentTarget }) => {
      const value = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      if (Number.isFinite(value)) say(value, { press: 0, held: false });
    };
    const hasTrial = Boolean(trial) || number.isHeld;
    this.trial.node.hidden = !hasTrial;
    const isEnd = !rows.length;
    const reads = rows[this.read]?.reads;
    return html`<section class="control idea" aria-label="The chain rule">
      <h3 ?hidden=${!hasTrial}>Try it: move the number, and look at the loss</h3>
      ${this.trial.node}
      <h3 ?hidden=${isEnd}
        >Why: how far it moves its neighbors × how far these move the loss</h3>
      ${this.links()}
      <div class="moved">
        <div><strong title=${words}>${name}</strong><span class="place"
          >${label}, this number; drag it to change it in the model</span></div>
        <div class="track signed" style=${number.zero}>${number.bar(0, value)}${
          settable ? number.grip(label, value, shortText(value), say) : nothing
        }</div>
        <input type="number" step="any" aria-label="${label}, as a number" ?disabled=${!settable}
          .value=${value === undefined ? "" : String(Number(value.toPrecision(4)))}
          @change=${typed}>
      </div>
      <p class="reads" ?hidden=${!reads}>${reads}</p>
      <div class="head" aria-hidden="true" ?hidden=${isEnd}>
        <span>${next}</span>
        <span>this number moves it by, for each 1<span class="place"> ∂y/∂x</span></span>
        <span>it moves the loss by, for each 1<span class="place"> ∂loss/∂y</span></span>
        <span>multiplied; each bar begins where the last ended</span>
      </div>
      <ul class="terms" role="list" ?hidden=${isEnd}>
        ${rows.map((row, k) => this.line(row, k))}${this.line({ ...TOTAL, to: total }, -1)}
      </ul>
      <p class="reads">${all}</p>
      ${this.back()}
    </section>`;
  }

  links() {
    const { links = [], at, is_loss: isLoss } = this.model.data;
    const go = (/** @type {number} */ index) => this.model.send_msg({ type: "link", index });
    return html`<ol class="links" aria-label="The chain" ?hidden=${links.length < 2}>
      ${links.map(
        ({ name, label, place, slope, gradient }, k) => html`<li>
          ${k ? html`<span class="slope">× ${threeDigits(slope)} →</span>` : nothing}
          <button type="button" class="button" title=${place}
            aria-current=${k === at ? "step" : nothing} @click=${() => go(k)}
            ><span>${name}</span
            ><span class="number">${label} · gradient ${threeDigits(gradient)}</span></button>
        </li>`,
      )}
      ${isLoss ? nothing : html`<li class="muted">→ … → the loss</li>`}
    </ol>`;
  }

  back() {
    const { made_of: madeOf = [], more, why } = this.model.data;
    const go = (/** @type {number} */ index) => this.model.send_msg({ type: "back", index });
    return html`<div class="back" role="group" aria-label="Computed from">
      <span class="muted">${why || "← It is computed from"}</span>
      ${madeOf.map(
        ({ name, label, words, slope }, k) => html`<button type="button" class="button"
          title="Go back to ${label}: ${words}" @click=${() => go(k)}><span>${name}</span
          ><span class="number">${label} × ${threeDigits(slope)}</span></button>`,
      )}
      <span class="muted">${more ? `and ${more.toLocaleString("en")} others` : ""}</span>
    </div>`;
  }

  /** Returns the line of a term, of the rest, or of the sum. @param {Term} row @param {number} k */
  line({ term, name, label, place, words, reads, gradient, slope, from, to }, k) {
    const read = () => {
      if (reads) this.readOut(k);
    };
    const isRead = k === this.read && Boolean(reads);
    const kinds = classes(k < 0 && "total", term < 0 && "others", isRead && "read");
    const go = () => this.model.send_msg({ type: "onward", index: term });
    return html`<li class=${kinds} @pointerenter=${read} @focusin=${read}>
      <div class="label">${
        term < 0
          ? html`<span>${name}</span>`
          : html`<button type="button" title="Go on to ${label}: ${words}" @click=${go}
              ><span>${name}</span
              ><span class="place">${[label, place].filter(Boolean).join(", ")}</span></button>`
      }</div>
      ${pair(this.slopes, 0, slope)}<span class="sign" aria-hidden="true">×</span>
      ${pair(this.gradients, 0, gradient)}<span class="sign" aria-hidden="true">≈</span>
      ${pair(this.products, from, to)}
    </li>`;
  }
}

/**
 * Returns a bar with its length as a number.
 * @param {BarAxis} axis @param {number} from
 * @param {number | null} to null if there is no single number
 */
function pair(axis, from, to) {
  const end = to ?? from;
  return html`<div class="pair" style=${to === null ? "visibility: hidden" : ""}>
    <div class="track signed" aria-hidden="true" style=${axis.zero}>${axis.bar(from, end)}</div>
    <span class="text">${alike(end - from, Math.max(axis.high, -axis.low))}</span>
  </div>`;
}

/** @param {number} x */
const threeDigits = (x) =>
  isHandy(x, 1e4) ? shortText(Number(x.toPrecision(3))) : scientificText(x, 1);

/**
 * Formats a number with the same number of decimals as the rest of the column.
 * @param {number} x @param {number} largest absolute value in the column
 */
function alike(x, largest) {
  if (!largest || largest < 1e-6 || Math.max(largest, Math.abs(x)) >= 1e4) return threeDigits(x);
  const digits = Math.max(0, 3 - Math.floor(Math.log10(largest)) - 1);
  const rounded = Number(x.toFixed(digits)) || 0;
  return fixed(rounded, digits);
}
