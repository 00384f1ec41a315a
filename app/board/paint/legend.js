/**
 * The color scale with numbers at their positions. Intensity is linear along the bar, so the bar is
 * a plain gradient; the positions of the numbers show the nonlinear scale.
 */

import { FIXED_MAXIMUM, intensity } from "../../components/shared/color_scale.js";
import { make, setText } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { MINUS, scientificText } from "../../components/shared/number_format.js";

export const LEGEND_NUMBERS = [-10, -1, -0.1, 0, 0.1, 1, 10];

/** The position of v from −maximum to maximum, 0 … 1. @param {number} v @param {number} maximum */
export const placeOnBar = (v, maximum) => 0.5 + (Math.sign(v) * intensity(v, maximum)) / 2;

/** The legend of the status bar. */
export const legend = () => html`<div class="legend">
  <div class="scale" role="img"
    aria-label="Color scale from −10 through 0 to 10; small values are spread apart"
    title="Not an even scale: small values are spread apart, so that they still show."
    ><div class="bar"></div>${LEGEND_NUMBERS.map(tick)}</div>
  <div class="shares" role="img"
    aria-label="Attention weights and probabilities have a scale of one color, from 0 to 1"
    title="Attention weights and probabilities. What rounds to 0 is written in gray."
    ><span>0</span><i class="bar of-shares"></i><span>1</span></div>
  <span class="own-scale"><span class="of-gradient">gradient of the loss</span><span class="ends"
    >${MINUS}<i class="bar"></i>+</span>each matrix on a scale of its own</span>
  <span class="key"><i class="swatch underlined"></i>can be edited</span>
  <span class="key"><i class="swatch crossed">×</i>masked</span>
  <span class="key dropped"><i class="swatch hatched"></i>dropped</span>
</div>`;

/** @param {number} v */
function tick(v) {
  // Shift the labels of ±0.1, which would overlap the label of 0.
  const side = Math.abs(v) !== 0.1 ? "" : v < 0 ? " left" : " right";
  return html`<span class="tick${side}" style="left: ${100 * placeOnBar(v, FIXED_MAXIMUM)}%"
    >${`${v}`.replace("-", MINUS)}</span>`;
}

/** The small scale beside a matrix's title, if the matrix has its own scale. */
export class OwnScale {
  constructor() {
    this.low = make("span");
    this.bar = make("i", { class: "bar" });
    this.high = make("span");
    this.el = make("span", { class: "matrix-scale" }, this.low, this.bar, this.high);
    this.maximum = /** @type {number | null | undefined} */ (undefined);
    this.isShare = false;
  }

  /**
   * @param {number | null} maximum null if the matrix uses the shared scale
   * @param {boolean} isShare whether the scale begins at 0
   */
  show(maximum, isShare) {
    if (maximum === this.maximum && isShare === this.isShare) return;
    this.maximum = maximum;
    this.isShare = isShare;
    this.bar.classList.toggle("of-shares", isShare);
    this.el.hidden = maximum === null;
    if (maximum === null) return;
    const handy = maximum === 0 || (maximum >= 0.01 && maximum < 1000);
    const text = handy ? String(Number(maximum.toPrecision(2))) : scientificText(maximum);
    setText(this.low, isShare ? "0" : MINUS + text);
    setText(this.high, text);
  }
}
