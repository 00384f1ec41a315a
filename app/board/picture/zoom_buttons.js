/** The buttons that zoom, beside the picture or in a corner of it. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {Gestures} from "./gestures.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

export class ZoomButtons {
  /** @param {Viewpoint} viewpoint @param {Gestures} gestures */
  constructor(viewpoint, gestures) {
    this.viewpoint = viewpoint;
    const wheel = ", or the wheel with Ctrl or once the picture has the focus";
    /** @param {string} label @param {string} text @param {() => void} press @param {string} how */
    const button = (label, text, press, how = wheel) =>
      html`<button type="button" aria-label=${label} title=${label + how} @click=${press}
        >${text}</button>`;
    const nearer = button("Nearer (+)", "+", gestures.nearer);
    const farther = button("Farther (−)", "−", gestures.farther);
    const all = button("All of it (0)", "⤢", () => viewpoint.showAll(), "");
    this.el = drawn(
      () => html`<div class="zooming" role="group" aria-label="Zoom"
        >${nearer}${farther}${all}</div>`,
    ).node;
  }

  /** Claims their place if they are in a corner of the picture. */
  claim() {
    this.viewpoint.claim("zoom", this.el, "absolute");
  }
}
