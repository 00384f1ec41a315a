/**
 * The word that should come after a list of tokens: chosen from a list, or typed if there are too
 * many.
 */

import { make, setText } from "../shared/dom.js";
import { tokenText } from "./token_text.js";

/** @import {Choice} from "./types.js" */

export class TokenChoice {
  /** @param {string} name of the token list @param {(word: string) => void} send */
  constructor(name, send) {
    this.send = send;
    this.id = `choice-${name}`;
    this.options = /** @type {string[] | null} */ (null);
    /** @type {HTMLSelectElement | HTMLInputElement} */
    this.control = this.typed();
    this.label = make("label", { for: this.id });
    this.note = make("p", { class: "list-note" });
    const box = make("div", { class: "choice" }, this.label, this.control);
    this.node = make("div", { class: "choice-box" }, box, this.note);
  }

  /** @param {Choice | null} choice */
  show(choice) {
    this.node.hidden = !choice;
    if (!choice) return;
    const { label, value, options, note } = choice;
    if (JSON.stringify(this.options) !== JSON.stringify(options)) this.replace(options);
    setText(this.label, label);
    setText(this.note, note);
    if (this.control instanceof HTMLSelectElement)
      this.control.selectedIndex = options.indexOf(value);
    else if (!this.control.matches(":focus")) this.control.value = value;
  }

  /** @param {string[]} options empty if any word may be typed, which Python then checks */
  replace(options) {
    const isFocused = this.control.matches(":focus");
    const control = options.length ? this.select(options) : this.typed();
    this.control.replaceWith(control);
    this.control = control;
    this.options = options;
    if (isFocused) control.focus();
  }

  /** @param {string[]} options */
  select(options) {
    const select = make(
      "select",
      { id: this.id, onchange: () => this.send(options[select.selectedIndex]) },
      ...options.map((word) => make("option", {}, tokenText(word))),
    );
    return select;
  }

  typed() {
    const input = make("input", {
      id: this.id,
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      onchange: () => this.send(input.value),
    });
    return input;
  }
}
