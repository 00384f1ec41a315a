/** The scale of colors, with numbers at their true places: along the bar the intensity grows evenly, so the bar itself
 * is a plain gradient and the curve is in where the numbers stand. */

import { MINUS, scientificText } from "../../shared/number_format.js";
import { make } from "../stages/tex.js";
import { FIXED_MAXIMUM, intensity } from "./color.js";

export const LEGEND_NUMBERS = [-10, -1, -0.1, 0, 0.1, 1, 10];

/** Where v stands on a bar from −maximum to maximum, 0 … 1. */
export const placeOnBar = (v, maximum) => 0.5 + (Math.sign(v) * intensity(v, maximum)) / 2;

/** @returns {HTMLElement} the strip that stays in sight */
export function makeLegend() {
  const legend = make("div", "legend");
  const scale = make("div", "scale");
  scale.setAttribute("role", "img");
  scale.setAttribute(
    "aria-label",
    "Color scale from −10 through 0 to 10; small values are spread apart",
  );
  const bar = make("div", "bar");
  scale.append(bar);
  for (const v of LEGEND_NUMBERS) {
    const mark = make("span", "tick", `${v}`.replace("-", MINUS));
    if (Math.abs(v) === 0.1) mark.classList.add(v < 0 ? "left" : "right");
    mark.style.left = `${100 * placeOnBar(v, FIXED_MAXIMUM)}%`;
    scale.append(mark);
  }
  scale.title = "Not an even scale: small values are spread apart, so that they still show.";
  const own = make("span", "own-scale");
  own.append(
    make(
      "span",
      "of-gradient",
      "∂loss/∂cell in place of every value: how fast the loss grows with it; ",
    ),
    make("span", "of-value", "color: "),
    "each matrix on its own scale",
  );
  const editable = make("span", "key");
  editable.append(make("i", "swatch underlined"), "can be edited");
  const dropped = make("span", "key dropped");
  dropped.append(make("i", "swatch hatched"), "dropped");
  legend.append(scale, own, editable, dropped);
  return legend;
}

/** The small scale beside the title of a matrix that is drawn on its own scale. */
export class OwnScale {
  constructor() {
    this.el = make("span", "matrix-scale");
    this.low = make("span");
    this.high = make("span");
    this.el.append(this.low, make("i", "bar"), this.high);
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
