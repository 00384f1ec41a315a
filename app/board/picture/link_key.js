/** The key to the colors of the heads' links. Pressing a head shows it alone. */

import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { headVariable } from "../links/head_toggles.js";

export class LinkKey {
  /** @param {(head: number | null) => void} onHead takes the head shown alone; null: all */
  constructor(onHead) {
    this.onHead = onHead;
    this.head = /** @type {number | null} */ (null);
    this.count = 0;
    const { node, show } = drawn(
      () => html`<div class="link-key" ?hidden=${this.count === 0}
        ><div class="link-heads" role="group" aria-label="Heads">${Array.from(
          { length: this.count },
          (_, head) => this.button(head),
        )}</div></div>`,
    );
    this.el = node;
    this.draw = show;
  }

  /** @param {number} count number of heads whose links are drawn */
  show(count) {
    if (count === this.count) return;
    this.count = count;
    if (this.head !== null && this.head >= count) this.choose(null);
    this.draw();
  }

  /** @param {number} head */
  button(head) {
    return html`<button type="button" aria-label="head ${head + 1}"
      title="Press to see the links of this head alone, and again for all"
      aria-pressed=${this.head === head} style="--head: ${headVariable(head)}"
      @click=${() => this.choose(this.head === head ? null : head)}
      ><i></i><span><span class="head-word">head </span>${head + 1}</span></button>`;
  }

  /** @param {number | null} head */
  choose(head) {
    this.head = head;
    this.draw();
    this.onHead(head);
  }
}
