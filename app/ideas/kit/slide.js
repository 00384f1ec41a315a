/** Draws a labeled slider with a field for the exact number. */

import { html } from "../../components/shared/lit-html.js";
import { nextPress } from "./press.js";

/** @import {Press} from "./handle.js" */

let press = 0; // the number of the press that drags a slider; 0 for none

/**
 * @param {string} label
 * @param {[low: number, high: number]} ends of the slider; typed numbers may be beyond them
 * @param {number} step of the arrow keys
 * @param {unknown} value `noChange` keeps the shown value
 * @param {(value: number, press: Press) => void} set @param {() => void} [release]
 */
export function slide(label, [low, high], step, value, set, release) {
  const begin = () => {
    press = nextPress();
  };
  const numberOf = (/** @type {Event} */ { currentTarget }) =>
    /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
  const slid = (/** @type {Event} */ event) => set(numberOf(event), { press, held: press > 0 });
  const end = () => {
    if (press) release?.();
    press = 0;
  };
  const typed = (/** @type {Event} */ event) => {
    const number = numberOf(event);
    if (Number.isFinite(number)) set(number, { press: 0, held: false });
  };
  return html`<div class="slide"><span>${label}</span><input type="range" min=${low} max=${high}
    step=${step} aria-label=${label} .value=${value} @pointerdown=${begin} @input=${slid}
    @change=${end}><input type="number" step="any" aria-label="${label}, as a number"
    .value=${value} @change=${typed}></div>`;
}
