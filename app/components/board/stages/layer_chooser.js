/**
 * Chooses the layer of each stack and the head that are drawn, for a model too large to draw all.
 */

import { make } from "../../shared/dom.js";

/** @import {Choice, Send} from "../data/types.js" */

const HOW_TO_MAGNIFY =
  "Large matrices are shown as pictures, over a few of their numbers. Press or drag in a picture " +
  "to read the numbers at that place; among the numbers the arrow keys scroll on.";

export class LayerChooser {
  /** @param {Send} send @param {HTMLElement} root the board's */
  constructor(send, root) {
    this.send = send;
    this.root = root;
    this.key = "";
    this.el = make("div", { class: "chooser", hidden: true });
    /** What sticks under it. */
    this.above = /** @type {HTMLElement | null} */ (null);
    this.intro = make("p", { class: "text magnified" }, HOW_TO_MAGNIFY);
    /** @type {{el: HTMLElement, buttons: Map<number, HTMLButtonElement>}[]} */
    this.groups = [];
  }

  /** @param {Choice[]} choices */
  show(choices) {
    this.el.hidden = !choices.length;
    const key = JSON.stringify(choices.map(({ chosen, ...rest }) => rest));
    if (key !== this.key) {
      this.key = key;
      this.groups = choices.map((choice) => this.group(choice));
      this.el.replaceChildren(...this.groups.map((group) => group.el));
    }
    choices.forEach(({ chosen }, k) => {
      for (const [number, button] of this.groups[k].buttons)
        button.setAttribute("aria-pressed", String(number === chosen));
    });
  }

  /** Shows or hides the explanation. @param {boolean} isLarge */
  explain(isLarge) {
    this.intro.hidden = !isLarge;
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
  group({ name, label, count, all }) {
    const caption = make("span", { class: "choice-label", id: `choice-${name}` }, label);
    /** @type {Map<number, HTMLButtonElement>} */
    const buttons = new Map();
    for (const number of [...Array(count).keys(), ...(all === undefined ? [] : [all])]) {
      const isAll = number === all;
      const button = make(
        "button",
        {
          type: "button",
          "aria-label": isAll ? `all ${label.toLowerCase()}s` : `${label} ${number + 1}`,
          onclick: () => this.send({ type: "choose", name, number }),
        },
        isAll ? "all" : `${number + 1}`,
      );
      buttons.set(number, button);
    }
    const heads = make(
      "div",
      { class: "heads", role: "group", "aria-labelledby": caption.id },
      ...buttons.values(),
    );
    return { el: make("div", { class: "choice" }, caption, heads), buttons };
  }
}
