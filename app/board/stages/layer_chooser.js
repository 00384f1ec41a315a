/** Buttons to choose which layer of each stack, and which head, of a large model are drawn. */

import { make } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/** @import {Choice, Send} from "../data/types.js" */

const HOW_TO_MAGNIFY =
  "A large matrix is a picture above a few of its numbers. Press or drag in the picture to " +
  "choose which numbers you see. The arrow keys scroll them.";

export class LayerChooser {
  /** @param {Send} send @param {HTMLElement} root the board's */
  constructor(send, root) {
    this.send = send;
    this.root = root;
    this.choices = /** @type {Choice[]} */ ([]);
    const { node, show } = drawn(
      () => html`<div class="chooser" ?hidden=${!this.choices.length}
        >${this.choices.map((choice) => this.group(choice))}</div>`,
    );
    this.el = node;
    this.draw = show;
    /** The element that sticks just below the chooser. */
    this.above = /** @type {HTMLElement | null} */ (null);
    this.intro = make("p", { class: "text magnified" }, HOW_TO_MAGNIFY);
  }

  /** @param {Choice[]} choices */
  show(choices) {
    this.choices = choices;
    this.draw();
  }

  /** Keeps the chooser just below the page's header. */
  stick() {
    const top = /** @type {HTMLElement | null} */ (document.querySelector(".frame"));
    let under = top?.offsetHeight ?? 0;
    let above = 0;
    for (const el of [this.el, this.above]) {
      if (!el) continue;
      el.style.top = `calc(${under}px + var(--forms-height, 0px))`;
      if (getComputedStyle(el).position !== "sticky") continue;
      under += el.offsetHeight;
      above += el.offsetHeight;
    }
    this.root.style.setProperty("--above", `${above}px`);
  }

  /** @param {Choice} choice */
  group({ name, label, count, all, chosen }) {
    const numbers = [...Array(count).keys(), ...(all === undefined ? [] : [all])];
    return html`<div class="choice">
      <span class="choice-label" id="choice-${name}">${label}</span>
      <div class="heads" role="group" aria-labelledby="choice-${name}">${numbers.map((number) => {
        const isAll = number === all;
        return html`<button type="button" aria-pressed=${number === chosen}
          aria-label=${isAll ? `all ${label.toLowerCase()}s` : `${label} ${number + 1}`}
          @click=${() => this.send({ type: "choose", name, number })}
          >${isAll ? "all" : number + 1}</button>`;
      })}</div>
    </div>`;
  }
}
