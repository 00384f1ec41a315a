/** Builds a button that keeps its place when disabled, so that the content below does not move. */

import { html, nothing } from "../../components/shared/lit-html.js";

/**
 * @param {string} label @param {string} title tooltip, a sentence @param {() => void} press
 * @param {{isOn?: boolean, isHidden?: boolean, name?: string, className?: string}} [how] `isOn`
 *   whether the button is enabled, undefined if it always is; `name` for screen readers
 */
export const action = (label, title, press, { isOn, isHidden, name, className } = {}) =>
  html`<button type="button" class=${className ?? "button"} title=${title} ?hidden=${isHidden}
    aria-label=${name ?? nothing} aria-disabled=${isOn === undefined ? nothing : !isOn}
    @click=${isOn === false ? nothing : press}>${label}</button>`;
