/** Which heads are on: a button for each. A double click, or Shift and Enter, leaves only this one; once more brings back all. */

import { make } from "../../shared/dom.js";

export class Swatches {
  /** @param {number[]} heads @param {() => void} changed */
  constructor(heads, changed) {
    this.heads = heads;
    this.changed = changed;
    this.on = new Set(heads);
    this.el = make("div", { class: "swatches" });
    this.el.setAttribute("role", "group");
    this.el.setAttribute("aria-label", "Heads to show");
    this.el.hidden = heads.length < 2;
    this.buttons = heads.map((head) => this.button(head));
    const hint = make("span", { class: "hint" }, "double click: only this one");
    this.el.append(...this.buttons, hint);
    this.show();
  }

  button(head) {
    const button = make("button");
    button.type = "button";
    button.title = "Double click or Shift+Enter: only this head, or all again";
    button.style.setProperty("--head", `var(--head-${(head % 8) + 1})`);
    button.append(make("i"), `head ${head + 1}`);
    button.addEventListener("click", () =>
      this.set(
        new Set(this.on.has(head) ? [...this.on].filter((h) => h !== head) : [...this.on, head]),
      ),
    );
    button.addEventListener("dblclick", () => this.alone(head));
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      this.alone(head);
    });
    return button;
  }

  alone(head) {
    this.set(new Set(this.on.size === 1 && this.on.has(head) ? this.heads : [head]));
  }

  set(on) {
    this.on = on;
    this.show();
    this.changed();
  }

  show() {
    this.buttons.forEach((button, k) =>
      button.setAttribute("aria-pressed", String(this.on.has(this.heads[k]))),
    );
  }
}
