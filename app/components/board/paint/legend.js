/** The scale of colors, with numbers at their true places: along the bar the intensity grows evenly, so the bar itself
 * is a plain gradient and the curve is in where the numbers stand. */

import { make } from "../../shared/dom.js";
import { MINUS, scientificText } from "../../shared/number_format.js";
import { FIXED_MAXIMUM } from "../data/matrix.js";
import { intensity } from "./color.js";

export const LEGEND_NUMBERS = [-10, -1, -0.1, 0, 0.1, 1, 10];

/** Where v stands on a bar from −maximum to maximum, 0 … 1. */
export const placeOnBar = (v, maximum) => 0.5 + (Math.sign(v) * intensity(v, maximum)) / 2;

/** @returns {HTMLElement} the strip that stays in sight */
export function makeLegend() {
  const legend = make("div", { class: "legend" });
  const scale = make("div", { class: "scale" });
  scale.setAttribute("role", "img");
  scale.setAttribute(
    "aria-label",
    "Color scale from −10 through 0 to 10; small values are spread apart",
  );
  const bar = make("div", { class: "bar" });
  scale.append(bar);
  for (const v of LEGEND_NUMBERS) {
    const mark = make("span", { class: "tick" }, `${v}`.replace("-", MINUS));
    if (Math.abs(v) === 0.1) mark.classList.add(v < 0 ? "left" : "right");
    mark.style.left = `${100 * placeOnBar(v, FIXED_MAXIMUM)}%`;
    scale.append(mark);
  }
  scale.title = "Not an even scale: small values are spread apart, so that they still show.";
  const own = make("span", { class: "own-scale" });
  own.append(
    make(
      "span",
      { class: "of-gradient" },
      "∂loss/∂cell in place of every value: how fast the loss grows with it; ",
    ),
    make("span", { class: "of-value" }, "color: "),
    "each matrix on its own scale",
  );
  const editable = make("span", { class: "key" });
  editable.append(make("i", { class: "swatch underlined" }), "can be edited");
  const dropped = make("span", { class: "key dropped" });
  dropped.append(make("i", { class: "swatch hatched" }), "dropped");
  legend.append(scale, own, editable, dropped);
  return legend;
}

/** The small scale beside the title of a matrix that is drawn on its own scale. */
export class OwnScale {
  constructor() {
    this.el = make("span", { class: "matrix-scale" });
    this.low = make("span");
    this.high = make("span");
    this.el.append(this.low, make("i", { class: "bar" }), this.high);
  }

  /** @param {number | null} maximum null: the fixed scale is in use */
  show(maximum) {
    if (maximum === this.maximum) return;
    this.maximum = maximum;
    this.el.hidden = maximum === null;
    if (maximum === null) return;
    const handy = maximum === 0 || (maximum >= 0.01 && maximum < 1000);
    const text = handy ? String(Number(maximum.toPrecision(2))) : scientificText(maximum);
    this.low.textContent = MINUS + text;
    this.high.textContent = text;
  }
}
