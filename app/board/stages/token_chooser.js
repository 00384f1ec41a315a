/** Buttons to choose the token, or all tokens, that a stage shows: one Tab stop with arrow keys. */

import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";

/** @import {Send, TokenChoice} from "../data/types.js" */

const ALL = -1;
const ALL_TOKENS = "all tokens";

export class TokenChooser {
  /** @param {TokenChoice} choice @param {Send} send */
  constructor(choice, send) {
    this.send = send;
    this.choice = choice;
    /** The present choice, of the user or of the board, from which arrow keys continue. */
    this.chosen = choice.chosen;
    const { node, show } = drawn(
      () => html`<div class="heads token-chooser" role="radiogroup" aria-label="Token to follow"
        >${this.option(ALL_TOKENS, "", ALL_TOKENS, ALL)}${this.choice.labels.map((label, at) =>
          this.option(label || "∅", `${at}`, this.choice.names[at], at),
        )}</div>`,
    );
    this.el = node;
    this.draw = show;
    const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
    const run = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
    bindKeys(this.el, "On the tokens", [{ keys, does: "another token, or all", run }]);
  }

  /** @param {TokenChoice} choice */
  show(choice) {
    this.choice = choice;
    this.mark(choice.chosen);
  }

  /** @param {string} word @param {string} number @param {string} name @param {number} position */
  option(word, number, name, position) {
    const isChosen = position === this.chosen;
    return html`<button type="button" role="radio" aria-label=${name} aria-checked=${isChosen}
      tabindex=${isChosen ? 0 : -1} @click=${() => this.choose(position)}
      ><span>${word}</span><sub>${number}</sub></button>`;
  }

  /** @param {number} position −1 for all */
  choose(position) {
    this.mark(position);
    this.send({ type: "choose", name: this.choice.name, number: position });
  }

  /** @param {number} position */
  mark(position) {
    this.chosen = position;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  pressed({ key }) {
    const last = this.choice.labels.length;
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
    this.el.querySelectorAll("button")[this.chosen + 1]?.focus();
  }
}
