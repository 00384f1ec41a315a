/** Declares a slider for the value of a cell. */

import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { decimalText } from "../../components/shared/number_format.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { roundAbove, roundBelow, roundTo } from "./round_numbers.js";

/** @import {CellDetails} from "./types.js" */

const STEPS = 200; // arrow key presses from end to end
/** The longest wait of the slider, in ms, until the page shows the slider's value. */
const PATIENCE = 1000;

/**
 * A slider whose ends depend on the number. It does not jump back while a new value is on the way
 * to Python.
 */
export class ValueSlider extends FromTemplate {
  /**
   * @param {(value: number) => void} change
   * @param {(low: number, high: number) => void} onEnds called when the ends change
   */
  constructor(change, onEnds) {
    super();
    /** The value of the last move; null once the page shows the value. */
    this.goal = /** @type {number | null} */ (null);
    this.goalUntil = 0;
    this.change = change;
    this.onEnds = onEnds;
    this.ends = /** @type {[low: number, high: number]} */ ([-1, 1]);
    /** The ends, extended if the number is beyond them. */
    this.axis = this.ends;
    this.label = "";
    this.spoken = "";
    this.isShare = false;
    this.borders = /** @type {number[]} */ ([]);
    this.input = /** @type {HTMLInputElement} */ (this.node.querySelector("input"));
    const run = (/** @type {KeyboardEvent} */ event) => this.key(event);
    const fine = ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowUp"];
    bindKeys(this.input, "On the slider", [
      {
        ...{ keys: ["ArrowLeft", "ArrowRight", "ArrowDown", "ArrowUp"], run },
        does: "less or more",
      },
      { keys: fine, does: "ten times finer", run },
      { keys: ["PageDown", "PageUp"], does: "ten times farther", run },
    ]);
  }

  template() {
    const [low, high] = this.axis;
    const at = (/** @type {number} */ value) => `${(100 * (value - low)) / (high - low)}%`;
    const slide = () => this.move(this.rounded(this.input.valueAsNumber));
    const end = (/** @type {number} */ value) => decimalText(Number(value.toPrecision(4)));
    return html`<div class=${classes("slider-box", this.isShare && "of-shares")}>
      <div class="notches" aria-hidden="true"
        >${this.borders.map((each) => html`<span style="left: ${at(each)}"></span>`)}</div>
      <input type="range" class="slider" step="any" min=${low} max=${high}
        style="--zero-at: ${at(0)}" aria-label=${this.label} aria-valuetext=${this.spoken}
        @input=${slide}>
      <div class="scale" aria-hidden="true"><span>${end(low)}</span><span class="zero"
        style="left: ${at(0)}" ?hidden=${this.ends[0] === 0}>0</span><span>${end(high)}</span></div>
    </div>`;
  }

  /** Marks the values at which a word changes. @param {number[]} borders */
  mark(borders) {
    this.borders = borders;
    this.draw();
  }

  /** @param {CellDetails} details with the ends @param {string} label */
  take({ low = -1, high = 1, share = false }, label) {
    this.ends = /** @type {[number, number]} */ ([low, high]);
    this.isShare = share;
    this.label = label;
    this.draw();
  }

  /** Rounds a value; near 0, which is hard to hit, to exactly 0. @param {number} value */
  rounded(value) {
    const [low, high] = this.axis;
    const pixel = (high - low) / Math.max(1, this.input.clientWidth);
    return Math.abs(value) < pixel ? 0 : roundTo(value, pixel);
  }

  /** @param {number} value */
  move(value) {
    this.goal = Math.fround(value);
    this.goalUntil = performance.now() + PATIENCE;
    this.speak(value);
    this.change(value);
  }

  /** @param {KeyboardEvent} event of a bound key */
  key(event) {
    const step = roundBelow((this.ends[1] - this.ends[0]) / STEPS);
    const fine = event.shiftKey ? step / 10 : step;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowRight: fine,
      ArrowUp: fine,
      ArrowLeft: -fine,
      ArrowDown: -fine,
      PageUp: 10 * step,
      PageDown: -10 * step,
    };
    const [low, high] = this.axis;
    const goal = Number((this.input.valueAsNumber + steps[event.key]).toPrecision(9));
    const value = Math.min(high, Math.max(low, goal));
    this.input.value = String(value);
    this.move(value);
  }

  /** Extends the range to include a value, rounded outward. @param {number} value */
  range(value) {
    const [least, most] = this.ends;
    const isNumber = Number.isFinite(value);
    const low = isNumber && value < least ? -roundAbove(-value) : least;
    const high = isNumber && value > most ? roundAbove(value) : most;
    if (this.axis[0] === low && this.axis[1] === high) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.draw();
    this.onEnds(low, high);
  }

  /** @param {number} value */
  speak(value) {
    this.spoken = decimalText(value);
    this.draw();
  }

  /** @param {number} value on the page @param {boolean} moving whether the value oscillates */
  show(value, moving) {
    if (
      this.goal !== null &&
      this.goal !== Math.fround(value) &&
      performance.now() < this.goalUntil
    )
      return;
    this.goal = null;
    this.range(value);
    this.input.value = String(value);
    // A screen reader cannot read sixty numbers a second.
    if (!moving) this.speak(value);
  }
}
