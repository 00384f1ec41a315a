import { make, setText } from "../shared/dom.js";
import { tokenText } from "./token_text.js";

/** The word that should come after a list of tokens: chosen, or where there are too many of them, typed. */
export class TokenChoice {
  /** @param {string} name of the list @param {(word: string) => void} send */
  constructor(name, send) {
    this.send = send;
    this.id = `choice-${name}`;
    this.label = make("label", { for: this.id });
    this.note = make("p", { class: "list-note" });
    this.node = make(
      "div",
      { class: "choice-box" },
      make("div", { class: "choice" }, this.label),
      this.note,
    );
  }

  /** @param {null | {label: string, value: string, options: string[], note: string}} choice */
  show(choice) {
    this.node.hidden = !choice;
    if (!choice) return;
    const { label, value, options, note } = choice;
    const key = JSON.stringify(options);
    if (key !== this.shown) this.build(options);
    this.shown = key;
    setText(this.label, label);
    setText(this.note, note);
    if (options.length) this.control.selectedIndex = options.indexOf(value);
    else if (this.control.getRootNode().activeElement !== this.control) this.control.value = value;
  }

  /** @param {string[]} options none: any word may be typed, and is answered if there is no such */
  build(options) {
    const hadFocus = this.control && this.control.getRootNode().activeElement === this.control;
    this.control?.remove();
    this.control = options.length
      ? make(
          "select",
          { id: this.id, onchange: () => this.send(options[this.control.selectedIndex]) },
          ...options.map((word) => make("option", {}, tokenText(word))),
        )
      : make("input", {
          id: this.id,
          type: "text",
          autocomplete: "off",
          spellcheck: "false",
          onchange: () => this.send(this.control.value),
        });
    this.label.after(this.control);
    if (hadFocus) this.control.focus();
  }
}
