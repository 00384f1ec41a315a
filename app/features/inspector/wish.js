/**
 * Builds controls that request a word for the text: a button for the word of a selected
 * probability, and a drop-down with the words at the curve's position.
 */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";

/** @import {CellDetails, Curve, Send} from "./types.js" */

export class Wish {
  /** @param {Send} send */
  constructor(send) {
    this.curve = /** @type {Curve | null} */ (null);
    this.asked = { row: 0, word: "" };
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
      const label = inUnits("Make it write another word");
      return html`<select class="button wish" aria-label=${label}
        ?hidden=${!curve || !this.isOffered} @change=${change}><option value=""
        >${label} ${curve?.rows[curve.row]} …</option>${curve?.words.map(
          ([column, word]) => html`<option value=${column}>${word || "∅"}</option>`,
        )}</select>`;
    });
    const button = drawn(() => {
      const { row, word } = this.asked;
      return html`<button type="button" class="button wish"
        title="Find the numbers to change for it" ?hidden=${!word || !this.isOffered}
        @click=${() => send({ type: "wish", row, word })}>Make it write “${word}”</button>`;
    });
    this.select = node;
    this.button = button.node;
    this.show = () => {
      show();
      button.show();
    };
  }

  /** @param {boolean} isOffered whether the page can fulfill such requests */
  offer(isOffered) {
    this.isOffered = isOffered;
    this.show();
  }

  /** @param {CellDetails} details with the `word` of a probability that is not the largest */
  ask({ i = 0, word = "" }) {
    this.asked = { row: i, word };
    this.show();
  }

  /** @param {Curve | null} curve with the row, and the words to choose from */
  take(curve) {
    this.curve = curve;
    this.show();
  }
}
