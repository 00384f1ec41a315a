/** Buttons that silence the heads of an attention. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { silencedHeads } from "../paint/silence_badge.js";

/** @import {LinkServices} from "./link_board.js" */

export class HeadSilences {
  /** @param {number[]} heads @param {string} scope @param {LinkServices} services */
  constructor(heads, scope, { store, send }) {
    this.scope = scope;
    this.store = store;
    this.send = send;
    this.silent = /** @type {Set<number>} */ (new Set());
    const { node, show } = drawn(
      () => html`<div class="head-silences" role="group" aria-label="Heads to silence"
        ><span class="hint" aria-hidden="true">silence</span>${heads.map(
          (head) => html`<button type="button" aria-label="Silence head ${head + 1}"
            title="The head passes on 0. Press again to restore it"
            aria-pressed=${this.silent.has(head)} @click=${() => this.press(head)}
            >head ${head + 1}</button>`,
        )}</div>`,
    );
    this.el = node;
    this.show = show;
    this.describe();
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
    this.show();
  }
}
