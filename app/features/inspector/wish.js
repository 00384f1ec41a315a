/** A drop-down for requesting that a different word be written at the curve's position. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/** @import {Curve, Send} from "./types.js" */

export class Wish {
  /** @param {Send} send */
  constructor(send) {
    this.curve = /** @type {Curve | null} */ (null);
    this.isOffered = false;
    const change = (/** @type {Event} */ { currentTarget }) => {
      const select = /** @type {HTMLSelectElement} */ (currentTarget);
      const { curve } = this;
      const found = curve?.words.find(([column]) => String(column) === select.value);
      select.selectedIndex = 0;
      if (curve && found) send({ type: "wish", row: curve.row, word: found[1] });
    };
    const { node, show } = drawn(() => {
      const { curve } = this;
      return html`<select class="button wish" aria-label="Make it write another word"
        ?hidden=${!curve || !this.isOffered} @change=${change}><option value=""
        >Make it write another word ${curve?.rows[curve.row]} …</option>${curve?.words.map(
          ([column, word]) => html`<option value=${column}>${word || "∅"}</option>`,
        )}</select>`;
    });
    this.select = node;
    this.show = show;
  }

  /** @param {boolean} isOffered whether the page can fulfill such requests */
  offer(isOffered) {
    this.isOffered = isOffered;
    this.show();
  }

  /** @param {Curve | null} curve provides the row and its words */
  take(curve) {
    this.curve = curve;
    this.show();
  }
}
