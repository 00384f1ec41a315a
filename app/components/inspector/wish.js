/** The wish that another word be written where the curve's word is. */

import { make, setText } from "../shared/dom.js";

/** @import {Curve, Send} from "./types.js" */

export class Wish {
  /** @param {Send} send */
  constructor(send) {
    this.curve = /** @type {Curve | null} */ (null);
    this.isOffered = false;
    this.first = make("option", { value: "" });
    this.select = make("select", {
      class: "button wish",
      "aria-label": "Make it write another word",
      onchange: () => {
        const { curve } = this;
        const found = curve?.words.find(([column]) => String(column) === this.select.value);
        this.select.selectedIndex = 0;
        if (curve && found) send({ type: "wish", row: curve.row, word: found[1] });
      },
    });
    this.key = "";
    this.take(null);
  }

  /** @param {boolean} isOffered whether this page grants wishes */
  offer(isOffered) {
    this.isOffered = isOffered;
    this.take(this.curve);
  }

  /** @param {Curve | null} curve of the row and its words */
  take(curve) {
    this.curve = curve;
    this.select.hidden = !curve || !this.isOffered;
    if (!curve) return;
    setText(this.first, `Make it write another word ${curve.rows[curve.row]} …`);
    const key = JSON.stringify(curve.words);
    if (key === this.key) return;
    this.key = key;
    const words = curve.words.map(([column, word]) =>
      make("option", { value: column }, word || "∅"),
    );
    this.select.replaceChildren(this.first, ...words);
    this.select.selectedIndex = 0;
  }
}
