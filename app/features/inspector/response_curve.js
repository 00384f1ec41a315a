/**
 * Draws a probability as a function of the selected value, computed in Python. A point marks the
 * current value. Hovering shows the probability at the pointer, and a click sets the value. The
 * curve is below the slider and has the same axis. A sentence above the curve names the word of the
 * probability; below the curve are the words that change.
 */

import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { decimalText, movingText, rough } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";
import { roundTo } from "./round_numbers.js";
import { WordBands } from "./word_bands.js";
import { allBorders } from "./word_borders.js";

/** @import {Curve, Words} from "./types.js" */

/** CSS px. The sides are half of the slider's thumb, so that the curve aligns with the slider. */
const PLOT = { height: 130, side: 11, top: 14, bottom: 20 };
const WIDTH = 284; // until the layout is measured
const UP = PLOT.height - PLOT.top - PLOT.bottom;
const LEAST_TOP = 0.05; // least maximum of the vertical axis, so that a small response looks small
const PROBABILITIES = "output.probabilities";
const FLAT = 5e-5; // smaller differences are below the precision of Python's numbers

export class ResponseCurve {
  /** @param {(value: number) => void} set @param {(row: number, column: number) => void} watch */
  constructor(set, watch) {
    this.set = set;
    this.curve = /** @type {Curve | null} */ (null);
    this.isComing = false;
    this.top = 1;
    this.width = WIDTH;
    this.axis = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.last = /** @type {number | undefined} */ (undefined);
    this.pointed = /** @type {number | null} */ (null);
    this.watch = watch;
    this.bands = new WordBands(set);
    const main = drawn(() => this.template());
    const more = drawn(() => this.under());
    this.node = main.node;
    this.more = more.node;
    this.draw = () => {
      main.show();
      more.show();
    };
    this.plot = /** @type {SVGElement} */ (this.node.querySelector(".curve"));
    new ResizeObserver(() => this.resized()).observe(this.plot);
  }

  template() {
    const { curve, isComing } = this;
    const point = (/** @type {MouseEvent} */ event) => this.point(this.valueAt(event));
    const press = (/** @type {MouseEvent} */ event) => {
      const value = this.valueAt(event);
      if (value !== null) this.set(value);
    };
    const pending = curve?.pending || nothing;
    return html`<section class=${isComing ? "response coming" : "response"}
      data-pending=${pending} aria-busy=${isComing || pending !== nothing} ?hidden=${!this.isThere}>
      <h2>Probability if this value were …</h2>
      <p class="note soon">For a large model the curve takes a moment.</p>
      <div class="curve-choice">
        <span>of</span>
        ${this.choice("curve-word", "probability of", curve?.words ?? [])}
        ${this.choice("curve-row", "where in the sentence", [...(curve?.rows ?? []).entries()])}
      </div>
      <svg class="curve" role="img" height=${PLOT.height} viewBox="0 0 ${this.width} ${PLOT.height}"
        aria-label=${curve ? labelOf(curve) : ""} @click=${press} @pointermove=${point}
        @pointerleave=${() => this.point(null)}>${curve ? this.picture(curve) : nothing}</svg>
      <p class="small reading">${this.reading()}</p>
      ${this.bands.node}
    </section>`;
  }

  /** Returns the part below the changing words: their borders, and the curve's extremes. */
  under() {
    const { curve } = this;
    const ends = curve ? endsOf(curve) : [];
    return html`<div class=${this.isComing ? "response-more coming" : "response-more"}
      ?hidden=${!this.isThere}>
      ${this.bands.after}
      <div class="curve-ends">${["max", "min"].map((name, k) => {
        const { at = 0, p = 0 } = ends[k] ?? {};
        const text = `${name} ${p.toFixed(3)}\nat ${rough(at)}`;
        return html`<button type="button" class="button end" title="Set the value there"
          style=${ends.length ? "" : "visibility: hidden"}
          @click=${() => this.set(Number(at.toPrecision(4)))}>${curve ? text : ""}</button>`;
      })}</div>
    </div>`;
  }

  /** @param {string} id @param {string} label @param {[number, string][]} choices */
  choice(id, label, choices) {
    const change = () => {
      const [word, row] = this.selects;
      this.watch(row.selectedIndex, Number(word.value));
    };
    return html`<select id=${id} aria-label=${label} @change=${change}
      >${choices.map(
        ([value, text]) => html`<option value=${value}>${text || "∅"}</option>`,
      )}</select>`;
  }

  get selects() {
    return [...this.node.querySelectorAll("select")];
  }

  /** @param {Curve} curve */
  picture(curve) {
    const { probabilities, low } = curve;
    const base = PLOT.height - PLOT.bottom;
    /** @param {string} kind @param {number} x */
    const upright = (kind, x) =>
      svg`<line class=${kind} x1=${x} x2=${x} y1=${PLOT.top} y2=${base}></line>`;
    const borders = allBorders(this.bands.rows).map((at) => upright("", this.x(at)));
    const points = probabilities.map((p, k) => `${this.x(settingOf(curve, k))} ${this.y(p)}`);
    const { last } = this;
    const isNow = last !== undefined && Number.isFinite(last);
    const at = isNow ? last : low;
    const p = this.probabilityNow() ?? this.probability(at);
    return svg`<g class="curve-borders">${borders}</g>
      <g class="curve-axes">${this.ticks()}</g>
      ${this.pointed === null ? nothing : upright("curve-hair", this.x(this.pointed))}
      ${isNow ? upright("curve-stem", this.x(at)) : nothing}
      <path class="curve-line" d="M${points.join("L")}"></path>
      ${endsOf(curve).map(
        (end) =>
          svg`<circle class="curve-mark" r="4" cx=${this.x(end.at)} cy=${this.y(end.p)}></circle>`,
      )}
      ${
        isNow
          ? svg`<circle class="curve-dot" r="5" cx=${this.x(at)} cy=${this.y(p)}></circle>`
          : nothing
      }`;
  }

  /** Returns the text with the probability at the pointer, or else at the current value. */
  reading() {
    const { curve, pointed, last } = this;
    if (curve && pointed !== null)
      return readText("if it were", pointed, this.probability(pointed));
    if (!curve || last === undefined || !Number.isFinite(last)) return "";
    return readText("now", last, this.probabilityNow() ?? this.probability(last));
  }

  /** Whether a curve is shown, or is being computed. */
  get isThere() {
    return this.curve !== null || this.isComing;
  }

  /** @param {boolean} isComing whether a curve is being computed, so that its space is kept */
  takeNone(isComing) {
    this.curve = null;
    this.pointed = null;
    this.bands.about(-1);
    this.isComing = isComing;
    this.draw();
  }

  /** Takes the words that change with the value. @param {Words | {coming?: boolean}} words */
  takeWords(words) {
    this.bands.take(words);
    if (this.last !== undefined) this.bands.goesTo(this.last);
    this.draw();
  }

  /** Sets the axis to the slider's ends. @param {number} low @param {number} high */
  along(low, high) {
    if (low === this.axis[0] && high === this.axis[1]) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.bands.along(low, high);
    this.draw();
  }

  resized() {
    const { width } = this.plot.getBoundingClientRect();
    if (!width || width === this.width) return;
    this.width = width;
    this.draw();
  }

  /** @param {Curve} curve */
  take(curve) {
    this.curve = curve;
    this.pointed = null;
    this.isComing = false;
    this.bands.about(curve.row);
    this.top = roundTop(Math.max(LEAST_TOP, ...curve.probabilities));
    this.draw();
    const [word, row] = this.selects;
    word.value = String(curve.column);
    row.value = String(curve.row);
  }

  /** Returns the lines and labels of the probabilities; the slider has the labels of values. */
  ticks() {
    /** @param {string} text @param {number} x @param {number} y */
    const label = (text, x, y, kind = "curve-text", anchor = "start") =>
      svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
    const words = "curve-text curve-words";
    return [
      ...[0, this.top / 2, this.top].map(
        (p) => svg`<line x1="0" x2=${this.width} y1=${this.y(p)} y2=${this.y(p)}></line>
          ${label(decimalText(p).replace(/^0\./, "."), 0, this.y(p) - 3)}`,
      ),
      ...["← lower", "this value", "higher →"].map((text, k) => {
        const anchor = ["start", "middle", "end"][k];
        return label(text, (k * this.width) / 2, PLOT.height - 4, words, anchor);
      }),
    ];
  }

  /** @param {number} value @returns {number} */
  x(value) {
    const [low, high] = this.axis;
    return PLOT.side + ((this.width - 2 * PLOT.side) * (value - low)) / (high - low);
  }

  /** @param {number} p */
  y(p) {
    return PLOT.height - PLOT.bottom - (UP * p) / this.top;
  }

  /** Interpolates the probability at a value. @param {number} value */
  probability(value) {
    const { low, high, probabilities } = /** @type {Curve} */ (this.curve);
    const most = probabilities.length - 1;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low))) * most;
    const before = Math.floor(share);
    const after = Math.min(before + 1, most);
    return (
      probabilities[before] + (probabilities[after] - probabilities[before]) * (share - before)
    );
  }

  /** @param {number | undefined} value the current value */
  show(value) {
    this.last = value;
    if (value !== undefined) this.bands.goesTo(value);
    if (this.curve) this.draw();
  }

  /** Returns the exact probability on the board; undefined if it is out of date. */
  probabilityNow() {
    const { row, column } = /** @type {Curve} */ (this.curve);
    return window.tinkerformer?.value(PROBABILITIES, row, column);
  }

  /** Reads the curve at a value, or at the current one if null. @param {number | null} value */
  point(value) {
    this.pointed = value;
    this.draw();
  }

  /** @param {MouseEvent} event @returns {number | null} */
  valueAt(event) {
    if (!this.curve) return null;
    const box = this.plot.getBoundingClientRect();
    const { low, high } = this.curve;
    const [least, most] = this.axis;
    const pixel = (most - least) / (box.width - 2 * PLOT.side);
    const value = least + pixel * (event.clientX - box.left - PLOT.side);
    return roundTo(Math.min(high, Math.max(low, value)), pixel);
  }
}

/** @param {string} what @param {number} value @param {number} p */
const readText = (what, value, p) => `${what} ${movingText(value)}: p = ${p.toFixed(3)}`;

/** Returns the maximum and the minimum; empty for a flat curve. @param {Curve} curve */
function endsOf(curve) {
  const { probabilities } = curve;
  const ends = [Math.max(...probabilities), Math.min(...probabilities)];
  if (ends[0] - ends[1] < FLAT) return [];
  return ends.map((p) => ({ p, at: settingOf(curve, probabilities.indexOf(p)) }));
}

/** Returns the curve's accessible name. @param {Curve} curve */
function labelOf({ low, high, probabilities, row, column, words, rows }) {
  const [least, most] = [Math.min(...probabilities), Math.max(...probabilities)];
  const name = words.find(([k]) => k === column)?.[1] || "∅";
  return (
    `Probability of ${name} ${rows[row]}, from ${least.toFixed(3)} to ${most.toFixed(3)}, ` +
    `as the value goes from ${low} to ${high}, computed at ${probabilities.length} values`
  );
}

/** @param {Curve} curve @param {number} k */
const settingOf = ({ low, high, probabilities }, k) =>
  low + ((high - low) * k) / (probabilities.length - 1);

/** Rounds up to an axis maximum whose half also has one or two digits. @param {number} most */
const roundTop = (most) => [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8].find((top) => most <= top) ?? 1;
