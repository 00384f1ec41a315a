/**
 * Chooses one token, or all, in a stage that treats each token alone. It is one Tab stop; arrow
 * keys choose.
 */

import { make, setAttribute, setText } from "../../shared/dom.js";
import { bindKeys } from "../../shared/keys.js";

/** @import {Send, TokenChoice} from "../data/types.js" */

const ALL = -1;
const ALL_TOKENS = "all tokens";

export class TokenChooser {
  /** @param {TokenChoice} choice @param {Send} send */
  constructor(choice, send) {
    this.send = send;
    this.choice = choice;
    /** The last choice, by the reader or the board, from which arrow keys continue. */
    this.chosen = choice.chosen;
    this.buttons = /** @type {HTMLElement[]} */ ([]);
    this.el = make("div", {
      class: "heads token-chooser",
      role: "radiogroup",
      "aria-label": "Token to follow",
    });
    const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
    const run = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    bindKeys(this.el, "On the tokens", [{ keys, does: "another token, or all", run }]);
    this.show(choice);
  }

  /** @param {TokenChoice} choice */
  show(choice) {
    this.choice = choice;
    const { labels, names, chosen } = choice;
    while (this.buttons.length > labels.length + 1) this.buttons.pop()?.remove();
    while (this.buttons.length < labels.length + 1) this.buttons.push(this.add());
    this.buttons.forEach((button, at) => {
      const position = at - 1;
      const [word, number] = button.children;
      const isAll = position === ALL;
      setText(word, isAll ? ALL_TOKENS : labels[position] || "∅");
      setText(number, isAll ? "" : `${position}`);
      setAttribute(button, "aria-label", isAll ? ALL_TOKENS : names[position]);
    });
    this.mark(chosen);
  }

  /** Adds the next button: first that of all tokens, then one for each token. */
  add() {
    const position = this.buttons.length - 1;
    const button = make(
      "button",
      { type: "button", role: "radio", onclick: () => this.choose(position) },
      make("span", {}),
      make("sub", {}),
    );
    this.el.append(button);
    return button;
  }

  /** @param {number} position −1 for all */
  choose(position) {
    this.mark(position);
    this.send({ type: "choose", name: this.choice.name, number: position });
  }

  /** @param {number} position */
  mark(position) {
    this.chosen = position;
    this.buttons.forEach((button, at) => {
      setAttribute(button, "aria-checked", String(at - 1 === position));
      setAttribute(button, "tabindex", at - 1 === position ? 0 : -1);
    });
  }

  /** @param {KeyboardEvent} event */
  pressed({ key }) {
    const last = this.buttons.length - 1;
    const at = this.chosen + 1;
    /** @type {Record<string, number>} */
    const keys = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowDown: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      ArrowUp: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    this.choose(keys[key] - 1);
    this.focus();
  }

  get hasFocus() {
    return this.el.matches(":focus-within");
  }

  focus() {
    this.buttons[this.chosen + 1]?.focus();
  }
}
