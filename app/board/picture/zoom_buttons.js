/** The buttons that zoom, beside the picture or in a corner of it. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/** @import {Gestures} from "./gestures.js" */

const WHEEL = ", or the wheel with Ctrl or once the picture has the focus";

/** @param {Gestures} gestures */
export function zoomButtons({ nearer, farther, viewpoint }) {
  /** @param {string} label @param {string} text @param {() => void} press @param {string} how */
  const button = (label, text, press, how = WHEEL) =>
    html`<button type="button" aria-label=${label} title=${label + how} @click=${press}
      >${text}</button>`;
  const all = button("All of it (0)", "⤢", () => viewpoint.showAll(), "");
  return drawn(
    () => html`<div class="zooming" role="group" aria-label="Zoom"
      >${button("Nearer (+)", "+", nearer)}${button("Farther (−)", "−", farther)}${all}</div>`,
  ).node;
}
