/** The menu of the tabs that do not fit in their row. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";

/** @import {TabLabels} from "../shared/tab_list.js" */

const LEAST = 160; // CSS px of its height
const BELOW = 64; // CSS px that it leaves free, where a phone has the rooms

export class MoreMenu {
  /**
   * @param {string} label of its button @param {string} of what the tabs are
   * @param {(name: string) => void} choose opens one
   */
  constructor(label, of, choose) {
    this.label = label;
    this.of = of.toLowerCase();
    this.choose = choose;
    this.text = make("span", {}, label);
    this.button = make(
      "button",
      {
        type: "button",
        class: "more",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: () => this.open(this.list.hidden !== false),
      },
      this.text,
      make("span", { "aria-hidden": "true" }, " ▾"),
    );
    this.list = make("div", {
      class: "menu",
      role: "menu",
      "aria-label": `More ${this.of}`,
      hidden: true,
    });
    const open = () => this.open(true);
    bindKeys(this.button, "On a menu", [{ keys: ["ArrowDown"], does: "opens it", run: open }]);
    const run = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    bindKeys(this.list, "In a menu", [
      { keys: ["ArrowUp", "ArrowDown", "Home", "End"], does: "another entry", run },
      { keys: ["Escape"], does: "closes it", run },
    ]);
    this.node = make("div", { class: "more-box" }, this.button, this.list);
    this.node.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.node.contains(relatedTarget))) this.open(false);
    });
  }

  /**
   * @param {TabLabels} tabs in the menu @param {string} chosen
   * @param {readonly string[]} rare those that always stand in it: it has their name in common
   */
  show(tabs, chosen, rare) {
    const isHere = tabs.find(([name]) => name === chosen);
    this.node.hidden = tabs.length === 0;
    const name = `More ${this.of}`;
    setText(this.text, isHere && !rare.includes(chosen) ? isHere[1] : this.label);
    setAttribute(this.button, "aria-label", isHere ? `${name}, now ${isHere[1]}` : name);
    this.button.classList.toggle("chosen", Boolean(isHere));
    this.list.replaceChildren(
      ...tabs.map(([name, label]) =>
        make(
          "button",
          {
            type: "button",
            role: "menuitemradio",
            tabindex: -1,
            "aria-checked": String(name === chosen),
            onclick: () => {
              this.open(false);
              this.button.focus();
              this.choose(name);
            },
          },
          label,
        ),
      ),
    );
  }

  /** @param {boolean} on */
  open(on) {
    if (on === !this.list.hidden) return;
    this.list.hidden = !on;
    setAttribute(this.button, "aria-expanded", String(on));
    document.documentElement.toggleAttribute("data-menu", on);
    if (!on) return;
    const { top } = this.list.getBoundingClientRect();
    this.list.style.maxHeight = `${Math.max(LEAST, innerHeight - top - BELOW)}px`;
    this.items[0]?.focus();
  }

  /** @returns {HTMLElement[]} */
  get items() {
    return [...this.list.children].filter((item) => item instanceof HTMLElement);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { items } = this;
    const at = items.findIndex((item) => item.matches(":focus"));
    /** @type {Record<string, HTMLElement | undefined>} */
    const goals = {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items.at(at - 1),
      Home: items[0],
      End: items.at(-1),
      Escape: this.button,
    };
    goals[event.key]?.focus();
    if (event.key === "Escape") this.open(false);
  }
}
