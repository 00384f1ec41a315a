/**
 * A button for each head that shows or hides it. A double click, or Shift+Enter, shows only that
 * head; repeating it shows all again.
 */

import { make } from "../../shared/dom.js";
import { bindKeys } from "../../shared/keys.js";
import { HEAD_COLORS } from "../paint/color.js";

export class HeadToggles {
  /** @param {number[]} heads @param {() => void} changed */
  constructor(heads, changed) {
    this.heads = heads;
    this.changed = changed;
    this.on = new Set(heads);
    this.buttons = new Map(heads.map((head) => [head, this.button(head)]));
    this.el = make(
      "div",
      {
        class: "swatches",
        role: "group",
        "aria-label": "Heads to show",
        hidden: heads.length < 2,
      },
      ...this.buttons.values(),
      make("span", { class: "hint" }, "press twice: this head alone"),
    );
    this.show();
  }

  /** @param {number} head */
  button(head) {
    const button = make(
      "button",
      {
        type: "button",
        title: "Pressed twice, or Shift+Enter: only this head, or all again",
        onclick: () => this.toggle(head),
        ondblclick: () => this.alone(head),
      },
      make("i"),
      `head ${head + 1}`,
    );
    button.style.setProperty("--head", headVariable(head));
    const does = "only this head, or all again";
    bindKeys(button, "On a head", [{ keys: ["Shift+Enter"], does, run: () => this.alone(head) }]);
    return button;
  }

  /** @param {number} head */
  toggle(head) {
    const on = new Set(this.on);
    if (!on.delete(head)) on.add(head);
    this.set(on);
  }

  /** @param {number} head */
  alone(head) {
    this.set(new Set(this.on.size === 1 && this.on.has(head) ? this.heads : [head]));
  }

  /** @param {Set<number>} on */
  set(on) {
    this.on = on;
    this.show();
    this.changed();
  }

  show() {
    for (const [head, button] of this.buttons)
      button.setAttribute("aria-pressed", String(this.on.has(head)));
  }
}

/** The custom property with the color of a head. @param {number} head */
export const headVariable = (head) => `var(--head-${(head % HEAD_COLORS) + 1})`;
