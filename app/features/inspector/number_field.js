/** Declares a text field for a number, with an error sentence. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { typedNumber } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";

export class NumberField {
  /**
   * @param {string} label @param {string} id @param {[minimum: number, maximum: number]} range
   * @param {string} sentence the error @param {(value: number) => void} accept
   */
  constructor(label, id, [minimum, maximum], sentence, accept) {
    this.shown = "";
    this.said = ""; // the error sentence
    this.read = () => {
      const value = typedNumber(this.input.value);
      return value >= minimum && value <= maximum ? value : null;
    };
    const change = () => {
      const value = this.read();
      this.say(value === null ? sentence : "");
      if (value === null) {
        this.input.value = this.shown;
        return;
      }
      this.shown = this.input.value;
      accept(value);
    };
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || this.input.value === this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      this.input.value = this.shown;
    };
    const field = drawn(
      () => html`<div class="field"><label for=${id}>${label}</label><input id=${id} type="text"
        inputmode="text" autocomplete="off" spellcheck="false" aria-describedby="${id}-error"
        aria-invalid=${this.said ? "true" : nothing} @focus=${() => this.input.select()}
        @change=${change} @keydown=${key}></div>`,
    );
    const error = drawn(
      () => html`<p class="problem" id="${id}-error" role="status">${this.said}</p>`,
    );
    this.node = field.node;
    this.error = error.node;
    this.draw = () => {
      field.show();
      error.show();
    };
    this.input = /** @type {HTMLInputElement} */ (field.node.querySelector("input"));
  }

  /** Focuses the field with text that the user began to type elsewhere. @param {string} text */
  begin(text) {
    this.input.focus();
    this.input.value = text;
  }

  /** @param {string} sentence */
  say(sentence) {
    this.said = sentence;
    this.draw();
  }

  /** Shows a value, unless the user is typing. @param {string} text */
  show(text) {
    if (text === this.shown) return;
    const typing = this.input.matches(":focus") && this.input.value !== this.shown;
    this.shown = text;
    if (!typing) this.input.value = text;
  }
}
