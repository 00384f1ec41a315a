/**
 * The color of each head's links between the lanes. A head that is pressed is shown alone.
 */

import { make, setAttribute } from "../../shared/dom.js";
import { headVariable } from "../links/head_toggles.js";

export class LinkKey {
  /** @param {(head: number | null) => void} onHead shown alone; null: all are shown */
  constructor(onHead) {
    this.onHead = onHead;
    this.head = /** @type {number | null} */ (null);
    this.buttons = /** @type {HTMLElement[]} */ ([]);
    this.heads = make("div", { class: "link-heads", role: "group", "aria-label": "Heads" });
    this.el = make("div", { class: "link-key" }, this.heads);
  }

  /** @param {number} count of the heads whose links are drawn */
  show(count) {
    this.el.hidden = count === 0;
    if (count === this.buttons.length) return;
    if (this.head !== null && this.head >= count) this.choose(null);
    this.buttons = Array.from({ length: count }, (_, head) => this.button(head));
    this.heads.replaceChildren(...this.buttons);
    this.press();
  }

  /** @param {number} head */
  button(head) {
    const button = make(
      "button",
      {
        type: "button",
        "aria-label": `head ${head + 1}`,
        title: "Press to see the links of this head alone, and again for all",
        onclick: () => this.choose(this.head === head ? null : head),
      },
      make("i"),
      make("span", {}, make("span", { class: "head-word" }, "head "), `${head + 1}`),
    );
    button.style.setProperty("--head", headVariable(head));
    return button;
  }

  /** @param {number | null} head */
  choose(head) {
    this.head = head;
    this.press();
    this.onHead(head);
  }

  press() {
    this.buttons.forEach((button, head) => {
      setAttribute(button, "aria-pressed", String(this.head === head));
    });
  }
}
