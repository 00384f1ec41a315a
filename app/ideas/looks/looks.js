/** Draws who may look at whom: a table of attention weights that grows with the sentence. */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { Paced } from "../../components/shared/paced.js";
import { FromTemplate } from "../../components/shared/template.js";
import { valueNow, withHandles } from "../kit/handle.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Grip, Press} from "../kit/handle.js"
 *
 * @typedef {{label: string, writes: string, weights: number[], hidden: boolean[]}} WordWeights a
 *   row: a word, the next word that it writes or an empty text, and the weights of the keys
 * @typedef {{keys: string[], rows: WordWeights[], shown: number, settable: boolean}} LooksData
 */

const MS_A_ROW = 1000;
const ACROSS = 160; // px from 0 to 1
/** The weight above which a cell needs light text in the light theme. */
const STRONG = 0.5;
const PALE = 0.42; // the fill's opacity at the weight STRONG
const DARK = 0.78; // the fill's least opacity above the weight STRONG

/** @param {Component<{data: LooksData}>} component */
export function render({ model }) {
  const view = new LooksView(model);
  onChange(model, ["data"], () => view.take());
  model.on("remove", () => view.stop());
  view.take();
  return asControl(model, withHandles(view.node));
}

class LooksView extends FromTemplate {
  /** @param {Component<{data: LooksData}>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.sender = new Paced(model);
    this.rows = new Paced(model);
    this.isCut = false;
    this.timer = 0;
    this.room = /** @type {HTMLElement} */ (this.node.querySelector(".scroll"));
  }

  template() {
    const { keys = [], rows = [], shown } = this.model.data;
    const scrub = (/** @type {Event} */ { currentTarget }) => {
      this.stop();
      this.showRows(/** @type {HTMLInputElement} */ (currentTarget).valueAsNumber);
    };
    // A word that no row may attend to yet has not been written yet.
    const isThere = (/** @type {number} */ j) =>
      rows.slice(0, shown).some(({ hidden }) => !hidden[j]);
    return html`<section class="control idea" aria-label="Who may look at whom">
      <div class="scrub">
        <button type="button" class="button play"
          @click=${() => this.run()}>${this.timer ? "❚❚ Pause" : "▶ Play"}</button>
        <input type="range" min="1" step="1" aria-label="rows that are written" max=${rows.length}
          .value=${String(shown)} @input=${scrub}><span class="number"
          >${shown} of ${rows.length}</span>
      </div>
      <p class="muted">A row looks, a column is looked at; each row adds up to 1.</p>
      <div class="scroll" tabindex="0" role="group">
        <table aria-label="Attention weights">
          <thead><tr>
            <td class="axis" aria-hidden="true">looks ↓  at →</td>
            ${keys.map(
              (key, j) => html`<th scope="col" style=${isThere(j) ? "" : "opacity: 0"}>${key}</th>`,
            )}
          </tr></thead>
          <tbody>${rows.map(
            (row, i) => html`<tr class=${i === shown - 1 ? "newest" : ""}
              aria-hidden=${i < shown ? nothing : "true"}>
              <th scope="row">${row.label}</th>${keys.map((key, j) => this.cell(row, key, i, j))}
              <td class="writes">${row.writes ? `→ ${row.writes}` : ""}</td>
            </tr>`,
          )}</tbody>
        </table>
      </div>
      <p class="muted more" ?hidden=${!this.isCut}>Swipe the table sideways for more.</p>
    </section>`;
  }

  /** @param {WordWeights} row @param {string} key @param {number} i @param {number} j */
  cell(row, key, i, j) {
    const weight = row.weights[j];
    const isHidden = row.hidden[j];
    const isHandle = this.model.data.settable;
    const kind = isHidden ? "hidden-by-mask" : weight > STRONG ? "strong" : "weak";
    const said = isHidden ? "hidden by the mask" : weight.toFixed(3);
    const text = html`<span class="text">${isHidden ? "" : weight.toFixed(2)}</span>`;
    /** @type {Grip} */
    const grip = {
      value: () => weight,
      // Dragging right or up increases the value.
      at: ({ clientX, clientY }, start) =>
        start.value + (clientX - start.x + start.y - clientY) / ACROSS,
      step: 0.02,
      set: (value, press) => {
        if (!isHidden) this.set(i, j, value, press);
      },
      release: () => this.release(),
    };
    return html`<td class=${kind} title=${isHandle ? nothing : said}>
      <span class="fill" style="opacity: ${isHidden ? 0 : strength(weight)}"></span>${
        isHandle
          ? html`<div class="handle" role="slider" tabindex="0" .grip=${grip}
              aria-label="${row.label} looks at ${key}" aria-valuenow=${valueNow(weight)}
              aria-valuetext=${said}>${text}</div>`
          : html`<div>${text}</div>`
      }</td>`;
  }

  take() {
    if (!this.model.data.rows) return;
    this.draw();
    // Determine whether the table is wider than its box.
    requestAnimationFrame(() => {
      this.isCut = this.room.scrollWidth > this.room.clientWidth + 1;
      this.draw();
    });
  }

  /** @param {number} count */
  showRows(count) {
    this.rows.say({ type: "rows", count });
  }

  run() {
    const { rows, shown } = this.model.data;
    if (this.timer) {
      this.stop();
      return;
    }
    const first = shown >= rows.length ? 1 : shown + 1;
    this.showRows(first);
    if (prefersStillness() || first >= rows.length) return;
    let count = first;
    this.timer = setInterval(() => {
      count += 1;
      if (count >= this.model.data.rows.length) this.stop();
      this.showRows(Math.min(count, this.model.data.rows.length));
    }, MS_A_ROW);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.draw();
  }

  /** @param {number} row @param {number} column @param {number} value @param {Press} press */
  set(row, column, value, { press, held }) {
    const share = Math.min(1, Math.max(0, value));
    this.sender.say({ type: "weight", row, column, value: share, press, held });
  }

  release() {
    this.sender.end({ type: "release" });
  }
}

/** Returns a fill's opacity; no text is readable at medium opacity. @param {number} weight */
function strength(weight) {
  const over = (Math.min(1, weight) - STRONG) / (1 - STRONG);
  return over > 0 ? DARK + (1 - DARK) * over : (PALE / STRONG) * weight;
}
