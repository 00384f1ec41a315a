/** Draws layer norm step by step: five number lines, and a row that moves from line to line. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html, noChange, nothing, svg } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { shortText } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { FromTemplate } from "../../components/shared/template.js";
import { valueNow, withHandles } from "../kit/handle.js";
import { slide } from "../kit/slide.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Grip, Press} from "../kit/handle.js"
 *
 * @typedef {{title: string, mean: number, deviation: number}} Line
 *
 * @typedef {object} NormData
 * @property {string[]} labels @property {number[]} cells the drawn dimensions
 * @property {number[][]} steps the numbers of the drawn dimensions on each of the five lines
 * @property {Line[]} lines @property {boolean[]} settable
 * @property {number} step @property {number} constant @property {number} factor
 */

const GAP = 72; // px from line to line
const TOP = 44;
const SIDE = 22;
const ROOM = 24; // px for a label
const LABELED = 12; // the most dimensions with labels
const LAST = 4;
const MS_A_STEP = 1300;
const REST = 0.3; // the share of a step during which the moving dots rest on a line

/** @param {Component<{data: NormData}>} component */
export function render({ model }) {
  const view = new NormView(model);
  onChange(model, ["data"], () => view.take());
  model.on("remove", () => view.stop());
  view.take();
  return asControl(model, withHandles(view.node));
}

class NormView extends FromTemplate {
  /** @param {Component<{data: NormData}>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.sender = new Paced(model);
    this.choices = new Paced(model);
    this.step = 4;
    this.extent = 1;
    this.isHeld = false;
    this.chosen = -1;
    this.playing = 0;
    // Cached, because reading the width while drawing forces a layout.
    this.width = 600;
    this.svg = /** @type {SVGElement} */ (this.node.querySelector("svg"));
    this.later = oncePerFrame(() => this.show());
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width || 600;
      this.later();
    }).observe(this.svg);
  }

  template() {
    const { data } = this.model;
    const scrub = (/** @type {Event} */ { currentTarget }) => {
      this.stop();
      this.goTo(/** @type {HTMLInputElement} */ (currentTarget).valueAsNumber, true);
    };
    return html`<section class="control idea" aria-label="Layer norm step by step">
      <div class="scrub">
        <button type="button" class="button play"
          @click=${() => this.run()}>${this.playing ? "❚❚ Pause" : "▶ Play"}</button>
        <input type="range" min="0" max=${LAST} step="0.01" aria-label="step of layer norm"
          aria-valuetext=${data.lines?.[Math.round(this.step)].title} .value=${String(this.step)}
          @input=${scrub}>
      </div>
      <p class="muted"><i class="of-band"></i>one deviation to either side of the mean, which is the
        line in it</p>
      <svg class="lines" height=${TOP + LAST * GAP + 48}>
        ${data.steps ? this.picture(data) : nothing}
      </svg>
      <div class="idea trial">
        <h2>What it undoes: try it on the row</h2>
        ${this.slide("constant", "add to each", [-10, 10], 0.1)}
        ${this.slide("factor", "multiply each by", [0.05, 5], 0.05)}
      </div>
    </section>`;
  }

  /**
   * @param {"constant" | "factor"} what @param {string} label
   * @param {[number, number]} ends @param {number} step
   */
  slide(what, label, ends, step) {
    const { underWay } = this.choices;
    const set = (/** @type {number} */ value) => this.choices.say({ type: "choice", what, value });
    return slide(label, ends, step, underWay ? noChange : this.model.data[what], set);
  }

  /** @param {NormData} data */
  picture(data) {
    const { steps, lines, cells } = data;
    const { width } = this;
    const names = this.names(data);
    const zero = this.x(0);
    const whole = Math.min(LAST - 1, Math.floor(this.step));
    const part = Math.min(1, Math.max(0, (this.step - whole - REST / 2) / (1 - REST)));
    const drop = (/** @type {number} */ k) => {
      const [a, b] = [steps[whole][k], steps[whole + 1][k]];
      return svg`<circle r="9" cx=${this.x(a + part * (b - a)).toFixed(1)}
        cy=${(TOP + (whole + part) * GAP).toFixed(1)}></circle>`;
    };
    const thread = (/** @type {number} */ k) => {
      const way = steps.map((row, line) => `${this.x(row[k]).toFixed(1)} ${TOP + line * GAP}`);
      return svg`<path class=${k === this.chosen ? "thread chosen" : "thread"}
        d="M${way.join("L")}"></path>`;
    };
    const axis = (/** @type {Line} */ { mean, deviation }, /** @type {number} */ line) => {
      const y = TOP + line * GAP;
      const [low, high] = [this.x(mean - deviation), this.x(mean + deviation)];
      const tick = (/** @type {number} */ n) =>
        svg`<text class="faint" x=${this.x((n * this.extent) / 2)} y=${y + 42}
          text-anchor="middle">${shortText((n * this.extent) / 2)}</text>`;
      return svg`<rect class="band" height="22" x=${low} y=${y - 11}
          width=${Math.max(0, high - low)}></rect>
        <line class="axis" x1=${SIDE / 2} x2=${width - SIDE / 2} y1=${y} y2=${y}></line>
        <g>${line === LAST ? [-2, -1, 0, 1, 2].map(tick) : nothing}</g>
        <line class="mean" x1=${this.x(mean)} x2=${this.x(mean)} y1=${y - 11} y2=${y + 11}></line>`;
    };
    return svg`<g><line class="zero" x1=${zero} x2=${zero} y1=${TOP - 12}
        y2=${TOP + LAST * GAP + 12}></line>${lines.map(axis)}</g>
      <g>${cells.map((_, k) => thread(k))}</g>
      <g>${lines.map(
        ({ title }, k) => svg`<text class="title" x="0" y=${TOP + k * GAP - 20}>${title}</text>`,
      )}</g>
      <g>${lines.map((_, line) => cells.map((_, k) => this.dot(line, k, names[k])))}</g>
      <g class="moving" aria-hidden="true">${cells.map((_, k) => drop(k))}</g>`;
  }

  take() {
    const { data } = this.model;
    if (!data.steps) return;
    if (!this.playing && !this.choices.underWay) this.step = data.step;
    this.show();
  }

  /** @param {number} value */
  x(value) {
    const half = this.width / 2 - SIDE;
    return this.width / 2 + half * Math.max(-1.02, Math.min(1.02, value / this.extent));
  }

  /** @param {number} x of the pointer */
  valueAt(x) {
    const { left } = this.svg.getBoundingClientRect();
    return ((x - left - this.width / 2) / (this.width / 2 - SIDE)) * this.extent;
  }

  /** @param {number} line @param {number} k @param {number} value @param {Press} press */
  set(line, k, value, { press, held }) {
    this.isHeld = held;
    this.stop();
    const cell = this.model.data.cells[k];
    this.sender.say({ type: "dot", line, cell, value, press, held });
  }

  release() {
    this.isHeld = false;
    this.sender.end({ type: "release" });
  }

  /** Returns the places of names at the first line's dots, if they fit. @param {NormData} data */
  names({ labels, steps }) {
    const order = [...steps[0].keys()].sort((a, b) => steps[0][a] - steps[0][b]);
    const free = [-Infinity, -Infinity]; // for two lines of labels
    const names = labels.map(() => ({ fits: false, row: 0, aside: 0 }));
    for (const k of order) {
      const x = this.x(steps[0][k]);
      const row = x >= free[0] || free[0] < free[1] ? 0 : 1;
      const aside = Math.max(0, free[row] - x); // px to the right, past the previous label
      const fits = labels.length <= LABELED && aside < ROOM;
      if (fits) free[row] = x + aside + ROOM;
      names[k] = { fits, row, aside };
    }
    return names;
  }

  /**
   * Returns the dot of a number on a line.
   * @param {number} line @param {number} k
   * @param {{fits: boolean, row: number, aside: number}} name on the first line
   */
  dot(line, k, name) {
    const { labels, lines, steps, settable } = this.model.data;
    const value = steps[line][k];
    const isSettable = settable[line];
    const { fits, row, aside } = line ? { fits: false, row: 0, aside: 0 } : name;
    /** @type {Grip} */
    const grip = {
      value: () => value,
      at: (event, start) => start.value + this.valueAt(event.clientX) - this.valueAt(start.x),
      step: this.extent / 50,
      set: (value, press) => this.set(line, k, value, press),
      release: () => this.release(),
    };
    const choose = () => this.choose(k);
    const label = k === this.chosen ? `${labels[k]} ${shortText(value)}` : fits ? labels[k] : "";
    return svg`<g class="dot ${isSettable ? "handle" : "fixed"} ${value < 0 ? "minus" : "plus"}"
      transform="translate(${this.x(value).toFixed(1)} ${TOP + line * GAP})"
      role=${isSettable ? "slider" : nothing} tabindex=${isSettable ? 0 : nothing} .grip=${grip}
      aria-label="${labels[k]}, ${lines[line].title}" aria-valuenow=${valueNow(value)}
      aria-valuetext=${shortText(value)} @pointerenter=${choose} @focus=${choose}>
      <circle r="16" class="hit"></circle><circle r="6"></circle>
      <text x=${aside} y=${22 + 12 * row}>${label}</text></g>`;
  }

  /** @param {number} k the dimension whose path is shown; −1: none */
  choose(k) {
    this.chosen = k;
    this.later();
  }

  /** @param {number} step @param {boolean} isSaid whether to send the step to Python */
  goTo(step, isSaid) {
    this.step = step;
    this.later();
    if (isSaid) this.choices.say({ type: "choice", what: "step", value: step });
  }

  run() {
    if (this.playing) {
      this.stop();
      return;
    }
    if (prefersStillness()) {
      this.goTo(this.step >= LAST ? 0 : Math.floor(this.step) + 1, true);
      return;
    }
    const from = this.step >= LAST ? 0 : this.step;
    const began = performance.now();
    const next = () => {
      const step = Math.min(LAST, from + (performance.now() - began) / MS_A_STEP);
      this.goTo(step, step === LAST);
      this.playing = step < LAST ? requestAnimationFrame(next) : 0;
    };
    this.playing = requestAnimationFrame(next);
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
  }

  show() {
    const { data } = this.model;
    if (!data.steps) return;
    const needed = niceAbove(Math.max(...data.steps.flat().map(Math.abs), 0.5));
    if (!this.isHeld || needed > this.extent) this.extent = needed;
    this.draw();
  }
}

/** Rounds up to one of 1, 1.5, 2, 3, 4, 6, 8, 10, 15 … @param {number} value */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 4, 6, 8, 10].find((n) => n * power >= value * 0.999) ?? 10);
}
