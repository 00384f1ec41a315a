/**
 * Declares a field for the word that should follow a list of tokens: the word is chosen from a
 * list, or typed if the list would be too long.
 */

import { html } from "../../components/shared/lit-html.js";
import { FromTemplate } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";

/** @import {Choice} from "./types.js" */

export class TokenChoice extends FromTemplate {
  /** @param {string} name of the token list @param {(word: string) => void} send */
  constructor(name, send) {
    super();
    this.send = send;
    this.id = `choice-${name}`;
    this.choice = /** @type {Choice | null} */ (null);
  }

  template() {
    const { label, options = [], note } = this.choice ?? {};
    const typed = (/** @type {Event} */ { currentTarget }) =>
      this.send(/** @type {HTMLInputElement} */ (currentTarget).value);
    const chosen = (/** @type {Event} */ { currentTarget }) =>
      this.send(options[/** @type {HTMLSelectElement} */ (currentTarget).selectedIndex]);
    // Without options any word may be typed; Python checks it.
    return html`<div class="choice-box" ?hidden=${!this.choice}>
      <div class="choice"><label for=${this.id}>${label}</label>${
        options.length
          ? html`<select id=${this.id} @change=${chosen}
              >${options.map((word) => html`<option>${tokenText(word)}</option>`)}</select>`
          : html`<input id=${this.id} type="text" autocomplete="off" spellcheck="false"
              @change=${typed}>`
      }</div>
      <p class="list-note">${note}</p>
    </div>`;
  }

  /** @param {Choice | null} choice */
  show(choice) {
    const isFocused = this.control.matches(":focus");
    this.choice = choice;
    this.draw();
    if (!choice) return;
    const { control } = this;
    if (control instanceof HTMLSelectElement)
      control.selectedIndex = choice.options.indexOf(choice.value);
    else if (!control.matches(":focus")) control.value = choice.value;
    if (isFocused) control.focus();
  }

  get control() {
    const found = this.node.querySelector("select, input");
    return /** @type {HTMLSelectElement | HTMLInputElement} */ (found);
  }
}
