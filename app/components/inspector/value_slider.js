/** A slider for the value of a cell. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { decimalText } from "../shared/number_format.js";
import { roundAbove, roundBelow, roundTo } from "./round_numbers.js";

/** @import {CellDetails} from "./types.js" */

const STEPS = 200; // arrow key presses from one end to the other
/** How long the slider keeps its position while the page does not yet show its value; ms. */
const PATIENCE = 1000;

/**
 * A slider whose ends fit its number. It does not jump back while its last value is on the way to
 * Python.
 */
export class ValueSlider {
  /**
   * @param {(value: number) => void} change
   * @param {(low: number, high: number) => void} onEnds its ends are others
   */
  constructor(change, onEnds) {
    /** The value it was last moved to, until the page shows it. */
    this.goal = /** @type {number | null} */ (null);
    this.goalUntil = 0;
    this.change = change;
    this.onEnds = onEnds;
    this.ends = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.input = make("input", {
      type: "range",
      class: "slider",
      step: "any",
    });
    this.low = make("span");
    this.zero = make("span", { class: "zero" }, "0");
    this.high = make("span");
    this.notches = make("div", { class: "notches", "aria-hidden": "true" });
    this.node = make(
      "div",
      { class: "slider-box" },
      this.notches,
      this.input,
      make("div", { class: "scale", "aria-hidden": "true" }, this.low, this.zero, this.high),
    );
    this.input.addEventListener("input", () => this.move(this.rounded(this.input.valueAsNumber)));
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
    this.borders = /** @type {number[]} */ ([]);
    this.range(0);
  }

  /** Marks the values at which a word changes. @param {number[]} borders */
  mark(borders) {
    this.borders = borders;
    this.showBorders();
  }

  showBorders() {
    const [low, high] = [Number(this.input.min), Number(this.input.max)];
    const marks = this.borders.map((at) => {
      const mark = make("span");
      mark.style.left = `${(100 * (at - low)) / (high - low)}%`;
      return mark;
    });
    this.notches.replaceChildren(...marks);
  }

  /** @param {CellDetails} details that give the ends */
  take({ low = -1, high = 1, share = false }) {
    this.ends = /** @type {[number, number]} */ ([low, high]);
    this.node.classList.toggle("of-shares", share);
    this.zero.hidden = low === 0;
  }

  /**
   * Rounds a value; a zone around 0 snaps to 0, so that it is easy to hit.
   * @param {number} value
   */
  rounded(value) {
    const { min, max, clientWidth } = this.input;
    const pixel = (Number(max) - Number(min)) / Math.max(1, clientWidth);
    return Math.abs(value) < pixel ? 0 : roundTo(value, pixel);
  }

  /** @param {number} value */
  move(value) {
    this.goal = Math.fround(value);
    this.goalUntil = performance.now() + PATIENCE;
    this.speak(value);
    this.change(value);
  }

  /** @param {KeyboardEvent} event one of those that are bound */
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
    const { min, max, valueAsNumber } = this.input;
    const value = Math.min(
      Number(max),
      Math.max(Number(min), Number((valueAsNumber + steps[event.key]).toPrecision(9))),
    );
    this.input.value = String(value);
    this.move(value);
  }

  /** Extends the range to include a value, up to a round number. @param {number} value */
  range(value) {
    const [least, most] = this.ends;
    const isNumber = Number.isFinite(value);
    const low = isNumber && value < least ? -roundAbove(-value) : least;
    const high = isNumber && value > most ? roundAbove(value) : most;
    const isSame = Number(this.input.min) === low && Number(this.input.max) === high;
    setAttribute(this.input, "min", low);
    setAttribute(this.input, "max", high);
    setText(this.low, decimalText(Number(low.toPrecision(4))));
    setText(this.high, decimalText(Number(high.toPrecision(4))));
    this.zero.style.left = `${(100 * -low) / (high - low)}%`;
    this.input.style.setProperty("--zero-at", this.zero.style.left);
    if (isSame) return;
    this.showBorders();
    this.onEnds(low, high);
  }

  /** @param {number} value */
  speak(value) {
    setAttribute(this.input, "aria-valuetext", decimalText(value));
  }

  /** @param {number} value on the page @param {boolean} moving whether it oscillates */
  show(value, moving) {
    if (
      this.goal !== null &&
      this.goal !== Math.fround(value) &&
      performance.now() < this.goalUntil
    )
      return;
    this.goal = null;
    // Do not change the range while the number oscillates, which would be hard to read.
    const { min, max } = this.input;
    if (!moving || value < Number(min) || value > Number(max)) this.range(value);
    this.input.value = String(value);
    // A screen reader cannot speak sixty numbers a second.
    if (!moving) this.speak(value);
  }
}
