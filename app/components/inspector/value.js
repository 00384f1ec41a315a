import { make, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";

export const LIMIT = 1000;
const REACH = 10; // the slider's, and that of the heatmap's fixed scale

/**
 * A number as people type it, with a comma or the typographic minus too.
 * @param {string} text @returns {number|null} null unless it is a number within the limits
 */
function typedNumber(text, minimum = -LIMIT, maximum = LIMIT) {
  const plainText = text.trim().replace("−", "-").replace(",", ".");
  const value = Number(plainText);
  return plainText === "" || !Number.isFinite(value) || value < minimum || value > maximum
    ? null
    : value;
}

/** A text field for a number, with its own sentence when it is none. */
export class NumberField {
  /**
   * @param {{label: string, unit?: string, id: string, minimum: number, maximum: number, sentence: string}} options
   * @param {(value: number) => void} accept
   */
  constructor({ label, unit, id, minimum, maximum, sentence }, accept) {
    this.error = make("p", { class: "problem", id: `${id}-error`, role: "status" });
    this.input = make("input", {
      id,
      type: "text",
      inputmode: "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-error`,
    });
    this.node = make(
      "div",
      { class: "field" },
      make("label", { for: id }, label),
      this.input,
      unit ? make("span", { class: "unit" }, unit) : null,
    );
    this.shown = "";
    this.read = () => typedNumber(this.input.value, minimum, maximum);
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("change", () => {
      const value = this.read();
      this.say(value === null ? sentence : "");
      if (value === null) {
        this.input.value = this.shown;
        return;
      }
      this.shown = this.input.value;
      accept(value);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.input.value === this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      this.input.value = this.shown;
    });
  }

  say(sentence) {
    setText(this.error, sentence);
    setAttribute(this.input, "aria-invalid", sentence ? "true" : null);
  }

  /** Show a value, but never under the fingers of someone typing. */
  show(text) {
    if (text === this.shown) return;
    const typing =
      this.input.getRootNode().activeElement === this.input && this.input.value !== this.shown;
    this.shown = text;
    if (!typing) this.input.value = text;
  }
}

/** A slider that widens to its value, and that does not jump back while its last position is still on the way. */
export class ValueSlider {
  /** @param {(value: number) => void} change */
  constructor(change) {
    this.goal = null;
    this.goalUntil = 0;
    this.change = change;
    this.input = make("input", {
      type: "range",
      class: "slider",
      step: "any",
      min: -REACH,
      max: REACH,
    });
    this.low = make("span");
    this.zero = make("span", { class: "zero" }, "0");
    this.high = make("span");
    this.node = make(
      "div",
      { class: "slider-box" },
      this.input,
      make("div", { class: "scale", "aria-hidden": "true" }, this.low, this.zero, this.high),
    );
    this.input.addEventListener("input", () => this.move(this.rounded(this.input.valueAsNumber)));
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.range(0);
  }

  /** Hundredths are finer than a pixel; zero is worth being easy to hit. */
  rounded(value) {
    const pixel = (this.input.max - this.input.min) / Math.max(1, this.input.clientWidth);
    return Math.abs(value) < pixel ? 0 : Math.round(value * 100) / 100;
  }

  move(value) {
    this.goal = Math.fround(value);
    this.goalUntil = performance.now() + 1000;
    this.speak(value);
    this.change(value);
  }

  key(event) {
    const fine = event.shiftKey ? 0.01 : 0.1;
    const steps = {
      ArrowRight: fine,
      ArrowUp: fine,
      ArrowLeft: -fine,
      ArrowDown: -fine,
      PageUp: 1,
      PageDown: -1,
    };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { min, max, valueAsNumber } = this.input;
    const value = Math.min(
      Number(max),
      Math.max(Number(min), Number((valueAsNumber + steps[event.key]).toFixed(4))),
    );
    this.input.value = String(value);
    this.move(value);
  }

  range(value) {
    const low = Math.min(-REACH, Math.floor(value));
    const high = Math.max(REACH, Math.ceil(value));
    setAttribute(this.input, "min", low);
    setAttribute(this.input, "max", high);
    setText(this.low, String(low).replace("-", "−"));
    setText(this.high, `+${high}`);
    this.zero.style.left = `${(100 * -low) / (high - low)}%`;
    this.input.style.setProperty("--zero-at", this.zero.style.left);
  }

  speak(value) {
    setAttribute(this.input, "aria-valuetext", decimalText(value));
  }

  /** @param {number} value now on the page @param {boolean} moving whether it oscillates */
  show(value, moving) {
    if (
      this.goal !== null &&
      this.goal !== Math.fround(value) &&
      performance.now() < this.goalUntil
    )
      return;
    this.goal = null;
    // A slider that grows and shrinks while it swings would be hard to read.
    if (!moving || value < this.input.min || value > this.input.max) this.range(value);
    this.input.value = String(value);
    // A screen reader would have to speak sixty numbers a second.
    if (!moving) this.speak(value);
  }
}
