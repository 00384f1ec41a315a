/** Shows the target words, which can be chosen, each with the word that is written instead. */

import { html, nothing } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { inUnits } from "../../components/shared/units.js";

/**
 * @typedef {object} RightWord
 * @property {number} at its position @property {string} word @property {string} text as shown
 * @property {string} p its probability
 * @property {string} writes the word that the model writes instead; empty if there is none
 * @property {boolean} open whether another word can be chosen
 *
 * @typedef {[kind: string, words: string[]][]} Known words to choose from
 *
 * @typedef {object} WordChoices
 * @property {RightWord[]} right @property {Known} known @property {string} said
 * @property {boolean} canWrite whether the user can now let the model write the target words
 */

export class RightWords {
  /**
   * @param {(at: number, word: string) => void} choose
   * @param {() => void} write lets the model write its words itself
   */
  constructor(choose, write) {
    this.choose = choose;
    this.write = write;
    this.shown = /** @type {WordChoices} */ ({ right: [], known: [], said: "", canWrite: false });
    /** The indices of used fields, which offer all words; other fields offer only their word. */
    this.used = /** @type {Set<number>} */ (new Set());
    const { node, show } = drawn(() => this.template());
    this.el = node;
    this.draw = show;
  }

  /** @param {WordChoices} shown */
  show(shown) {
    this.shown = shown;
    this.draw();
    [...this.el.querySelectorAll("select")].forEach((select, k) => {
      select.value = shown.right[k].word;
    });
  }

  template() {
    const { right, said, canWrite } = this.shown;
    return html`<div class="right-words" ?hidden=${right.length === 0}>
      <ul role="list" aria-label=${inUnits("Words that should be written")}>
        <li class="plane-what is-name" aria-hidden="true">should be</li>
        ${right.map((word, k) => this.line(word, k))}
      </ul>
      <p class="teaches"><span role="status">${said}</span><button type="button" class="by-words"
        ?hidden=${!canWrite} @click=${this.write}>Let it write by itself</button></p>
    </div>`;
  }

  /** @param {RightWord} right @param {number} k */
  line(right, k) {
    const { at, word, text, p, writes, open } = right;
    const { known } = this.shown;
    const canChoose = open && known.length > 0;
    const does = writes ? `writes ${writes}` : "is written";
    const use = () => {
      if (this.used.has(k)) return;
      this.used.add(k);
      this.show(this.shown);
    };
    const change = (/** @type {Event} */ { currentTarget }) => {
      const { value } = /** @type {HTMLSelectElement} */ (currentTarget);
      if (value !== word) this.choose(at, value);
    };
    const option = (/** @type {string} */ each) =>
      html`<option value=${each}>${each === word ? text : tokenText(each)}</option>`;
    const isKnown = known.some(([, words]) => words.includes(word));
    const all = known.map(([kind, words]) =>
      kind ? html`<optgroup label=${kind}>${words.map(option)}</optgroup>` : words.map(option),
    );
    return html`<li class=${writes ? "is-other" : ""}>
      <select ?hidden=${!canChoose}
        title="Choose another word, and each step moves the model towards it."
        aria-label="should be at position ${at}: ${does}, ${text} ${p}"
        @pointerdown=${use} @focus=${use} @change=${change}
        >${this.used.has(k) && isKnown ? nothing : option(word)}${
          this.used.has(k) ? all : nothing
        }</select>
      <span class="right-word" ?hidden=${canChoose}>${text}</span>
      <span class="is-written">${writes ? does : ""}</span>
    </li>`;
  }
}
