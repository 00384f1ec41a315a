/** Layer norm step by step: five number lines, and a row that falls from one to the next. */

import { asControl } from "../../shared/control.js";
import { make, makeSvg, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { html, nothing, svg } from "../../shared/lit-html.js";
import { prefersStillness } from "../../shared/motion.js";
import { shortText } from "../../shared/number_format.js";
import { drawn } from "../../shared/template.js";
import { asHandle, sayHandle } from "../handle.js";
import { Paced } from "../paced.js";
import { Slide } from "../slide.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Press} from "../handle.js"
 * @import {Model} from "../../shared/model.js"
 *
 * @typedef {{title: string, mean: number, deviation: number}} Line
 *
 * @typedef {object} NormData
 * @property {string[]} labels @property {number[]} cells of the dimensions that are drawn
 * @property {number[][]} steps their numbers on each of the five lines
 * @property {Line[]} lines @property {boolean[]} settable
 * @property {number} step @property {number} constant @property {number} factor
 */

const GAP = 72; // from line to line
const TOP = 44;
const SIDE = 22;
const ROOM = 24; // px for a label
const LABELED = 12; // dimensions that have room for their labels
const LAST = 4;
const MS_A_STEP = 1300;
const REST = 0.3; // of a step, spent on the line

/** @param {{model: Model<{data: NormData} & ControlProperties>}} component */
export function render({ model }) {
  const view = new NormView(model);
  const later = oncePerFrame(() => view.take());
  model.on("data", later);
  model.on("remove", () => view.stop());
  view.take();
  return asControl(model, view.node);
}

class NormView {
  /** @param {Model<{data: NormData}>} model */
  constructor(model) {
    this.model = model;
    this.sender = new Paced(model);
    this.choices = new Paced(model);
    this.step = 4;
    this.extent = 1;
    this.isHeld = false;
    this.chosen = -1;
    this.playing = 0;
    this.dots = /** @type {Dot[][]} */ ([]);
    this.scrub = make("input", {
      type: "range",
      min: 0,
      max: LAST,
      step: 0.01,
      "aria-label": "step of layer norm",
      oninput: () => {
        this.stop();
        this.goTo(this.scrub.valueAsNumber, true);
      },
    });
    /** @param {"constant" | "factor"} what */
    const choose = (what) => (/** @type {number} */ value) =>
      this.choices.say({ type: "choice", what, value });
    this.constant = new Slide("add to each", { step: 0.1, set: choose("constant") });
    this.constant.within(-10, 10);
    this.factor = new Slide("multiply each by", { step: 0.05, set: choose("factor") });
    this.factor.within(0.05, 5);
    const { node, show } = drawn(() => this.template());
    this.node = node;
    this.redraw = show;
    this.svg = /** @type {SVGElement} */ (node.querySelector("svg"));
    this.draw = oncePerFrame(() => this.show());
    // Not read while drawing: each reading after a change would lay out the page anew.
    this.width = 600;
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width || 600;
      this.draw();
    }).observe(this.svg);
  }

  template() {
    const { data } = this.model;
    return html`<section class="control idea" aria-label="Layer norm step by step">
      <div class="scrub">
        <button type="button" class="button play"
          @click=${() => this.run()}>${this.playing ? "❚❚ Pause" : "▶ Play"}</button>
        ${this.scrub}
      </div>
      <p class="muted"><i class="of-band"></i>one deviation to either side of the mean, which is the
        line in it</p>
      <svg class="lines" height=${TOP + LAST * GAP + 48}>
        ${this.dots.length ? this.picture(data) : nothing}
      </svg>
      <div class="idea trial">
        <h2>What it undoes: try it on the row</h2>
        ${this.constant.node}${this.factor.node}
      </div>
    </section>`;
  }

  /** @param {NormData} data */
  picture({ steps, lines, cells }) {
    const { width } = this;
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
      <g>${this.dots.flat().map(({ node }) => node)}</g>
      <g class="moving" aria-hidden="true">${cells.map((_, k) => drop(k))}</g>`;
  }

  take() {
    const { data } = this.model;
    if (!data.steps) return;
    if (this.dots.length === 0 || this.dots[0].length !== data.cells.length)
      this.dots = data.steps.map((_, line) => data.cells.map((_, k) => new Dot(this, line, k)));
    if (!this.playing && !this.choices.underWay) this.step = data.step;
    if (!this.choices.underWay) {
      this.constant.show(data.constant);
      this.factor.show(data.factor);
    }
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

  /** Names the dots of the first line that have room for it. @param {NormData} data */
  label({ labels, steps }) {
    const order = [...steps[0].keys()].sort((a, b) => steps[0][a] - steps[0][b]);
    const free = [-Infinity, -Infinity]; // of two lines, one below the other
    for (const k of order) {
      const x = this.x(steps[0][k]);
      const row = x >= free[0] || free[0] < free[1] ? 0 : 1;
      const aside = Math.max(0, free[row] - x); // where both are taken, beside the last one
      const fits = labels.length <= LABELED && aside < ROOM;
      if (fits) free[row] = x + aside + ROOM;
      this.dots[0][k].name(labels[k], fits, row, aside);
    }
    for (const dots of this.dots.slice(1))
      for (const [k, dot] of dots.entries()) dot.name(labels[k], false);
  }

  /** @param {number} k the dimension whose way is shown; −1: none */
  choose(k) {
    this.chosen = k;
    this.draw();
  }

  /** @param {number} step @param {boolean} isSaid whether it is kept */
  goTo(step, isSaid) {
    this.step = step;
    this.draw();
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
    if (!data.steps || !this.dots.length) return;
    if (this.scrub.valueAsNumber !== this.step) this.scrub.value = String(this.step);
    setAttribute(this.scrub, "aria-valuetext", data.lines[Math.round(this.step)].title);
    const needed = niceAbove(Math.max(...data.steps.flat().map(Math.abs), 0.5));
    if (!this.isHeld || needed > this.extent) this.extent = needed;
    for (const [line, dots] of this.dots.entries())
      for (const [k, dot] of dots.entries()) dot.show(data, this.x(data.steps[line][k]));
    this.label(data);
    this.redraw();
  }
}

/** A number on a line. */
class Dot {
  /** @param {NormView} view @param {number} line @param {number} k */
  constructor(view, line, k) {
    this.view = view;
    this.line = line;
    this.k = k;
    this.text = makeSvg("text", { y: 24 });
    const circles = [makeSvg("circle", { r: 16, class: "hit" }), makeSvg("circle", { r: 6 })];
    this.node = makeSvg("g", { class: "dot" }, ...circles, this.text);
    this.node.addEventListener("pointerenter", () => view.choose(k));
    this.node.addEventListener("focus", () => view.choose(k));
    this.isHandle = false;
  }

  get value() {
    return this.view.model.data.steps[this.line][this.k];
  }

  /** @param {NormData} data @param {number} x */
  show(data, x) {
    const { node, view, line, k, value } = this;
    if (data.settable[line] && !this.isHandle) {
      this.isHandle = true;
      asHandle(node, {
        value: () => this.value,
        at: (event, start) => start.value + view.valueAt(event.clientX) - view.valueAt(start.x),
        step: () => view.extent / 50,
        set: (value, press) => view.set(line, k, value, press),
        release: () => view.release(),
      });
    }
    setAttribute(node, "transform", `translate(${x.toFixed(1)} ${TOP + line * GAP})`);
    node.classList.toggle("plus", value >= 0);
    node.classList.toggle("minus", value < 0);
    node.classList.toggle("fixed", !this.isHandle);
    sayHandle(node, `${data.labels[k]}, ${data.lines[line].title}`, value, shortText(value));
  }

  /**
   * @param {string} label @param {boolean} fits whether there is room for it
   * @param {number} [row] how many lines lower it stands @param {number} [aside] how far right
   */
  name(label, fits, row = 0, aside = 0) {
    setAttribute(this.text, "y", 22 + 12 * row);
    setAttribute(this.text, "x", aside);
    const isChosen = this.k === this.view.chosen;
    setText(this.text, isChosen ? `${label} ${shortText(this.value)}` : fits ? label : "");
  }
}

/** The next of 1, 1.5, 2, 3, 4, 6, 8, 10, 15 … @param {number} value */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 3, 4, 6, 8, 10].find((n) => n * power >= value * 0.999) ?? 10);
}
