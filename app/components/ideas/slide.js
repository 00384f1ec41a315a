/** A labeled slider with a field for the exact number. */

import { make, setAttribute } from "../shared/dom.js";
import { nextPress } from "./press.js";

/** @import {Press} from "./handle.js" */

export class Slide {
  /**
   * @param {string} label
   * @param {{step: number, set: (value: number, press: Press) => void, release?: () => void}} how
   *   `step` of the arrow keys
   */
  constructor(label, { step, set, release }) {
    let press = 0;
    this.range = make("input", {
      type: "range",
      step,
      "aria-label": label,
      onpointerdown: () => {
        press = nextPress();
      },
      oninput: () => set(this.range.valueAsNumber, { press, held: press > 0 }),
      onchange: () => {
        if (press) release?.();
        press = 0;
      },
    });
    this.field = make("input", {
      type: "number",
      step: "any",
      "aria-label": `${label}, as a number`,
      onchange: () => {
        const value = this.field.valueAsNumber;
        if (Number.isFinite(value)) set(value, { press: 0, held: false });
      },
    });
    this.node = make("div", { class: "slide" }, make("span", {}, label), this.range, this.field);
  }

  /**
   * The ends of the slider; what is typed may lie beyond.
   * @param {number} low @param {number} high
   */
  within(low, high) {
    setAttribute(this.range, "min", low);
    setAttribute(this.range, "max", high);
  }

  /** @param {number} value */
  show(value) {
    if (this.range.valueAsNumber !== value) this.range.value = String(value);
    const root = /** @type {ShadowRoot | Document} */ (this.field.getRootNode());
    if (root.activeElement !== this.field) this.field.value = String(value);
  }
}
