/** A text field for a number, with an error sentence. */

import { make, setAttribute, setText } from "../shared/dom.js";

/**
 * Parses a number as people type it, also with a decimal comma or a typographic minus sign.
 * @param {string} text @param {number} minimum @param {number} maximum
 * @returns {number | null} null if it is no number or out of range
 */
function typedNumber(text, minimum, maximum) {
  const plainText = text.trim().replace("−", "-").replace(",", ".");
  const value = Number(plainText);
  return plainText === "" || !Number.isFinite(value) || value < minimum || value > maximum
    ? null
    : value;
}

export class NumberField {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {string} [options.unit]
   * @param {string} options.id
   * @param {number} options.minimum
   * @param {number} options.maximum
   * @param {string} options.sentence error sentence that says what is expected
   * @param {(value: number) => void} accept
   */
  constructor({ label, unit, id, minimum, maximum, sentence }, accept) {
    this.error = make("p", { class: "problem", id: `${id}-error`, role: "status" });
    this.input = make("input", {
      id,
      type: "text",
      inputmode: "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": `${id}-error`,
    });
    this.node = make(
      "div",
      { class: "field" },
      make("label", { for: id }, label),
      this.input,
      unit ? make("span", { class: "unit" }, unit) : null,
    );
    this.shown = "";
    this.read = () => typedNumber(this.input.value, minimum, maximum);
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("change", () => {
      const value = this.read();
      this.say(value === null ? sentence : "");
      if (value === null) {
        this.input.value = this.shown;
        return;
      }
      this.shown = this.input.value;
      accept(value);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.input.value === this.shown) return;
      event.preventDefault();
      event.stopPropagation();
      this.input.value = this.shown;
    });
  }

  /** Continues here with text that the reader began to type elsewhere. @param {string} text */
  begin(text) {
    this.input.focus();
    this.input.value = text;
  }

  /** @param {string} sentence */
  say(sentence) {
    setText(this.error, sentence);
    setAttribute(this.input, "aria-invalid", sentence ? "true" : null);
  }

  /** Shows a value, unless the reader is typing. @param {string} text */
  show(text) {
    if (text === this.shown) return;
    const typing = this.input.matches(":focus") && this.input.value !== this.shown;
    this.shown = text;
    if (!typing) this.input.value = text;
  }
}
