/** A button for each head of an attention that silences it. */

import { make, setAttribute } from "../../shared/dom.js";
import { silencedHeads } from "../paint/silence_badge.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Send} from "../data/types.js"
 */

export class HeadSilences {
  /**
   * @param {number[]} heads @param {string} scope
   * @param {{store: MatrixStore, send: Send}} services
   */
  constructor(heads, scope, { store, send }) {
    this.scope = scope;
    this.store = store;
    this.send = send;
    this.silent = /** @type {Set<number>} */ (new Set());
    this.buttons = new Map(heads.map((head) => [head, this.button(head)]));
    this.el = make(
      "div",
      { class: "head-silences", role: "group", "aria-label": "Heads to silence" },
      make("span", { class: "hint", "aria-hidden": "true" }, "silence"),
      ...this.buttons.values(),
    );
    this.describe();
  }

  /** @param {number} head */
  button(head) {
    return make(
      "button",
      {
        type: "button",
        title: "It hands on 0 in the place of what it listens to; once more restores it",
        "aria-label": `Silence head ${head + 1}`,
        onclick: () => this.press(head),
      },
      `head ${head + 1}`,
    );
  }

  /** @param {number} head */
  press(head) {
    this.send({
      type: "silence",
      path: `${this.scope}.head.${head}.context`,
      row: null,
      column: null,
      to: this.silent.has(head) ? null : "zero",
    });
  }

  describe() {
    this.silent = silencedHeads(this.store, this.scope);
    for (const [head, button] of this.buttons)
      setAttribute(button, "aria-pressed", String(this.silent.has(head)));
  }
}
