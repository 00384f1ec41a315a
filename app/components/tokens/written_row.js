/**
 * The words that the model writes, each with its probability and a mark if the last edit changed
 * it, then the end token if there is one, and a sign whether they are right. A click on a word
 * selects its position. The row is one Tab stop; arrow keys move between words.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { stepOf } from "./step_keys.js";
import { isSpecial, tokenName, tokenText } from "./token_text.js";

/** @import {Frame, Source, Written} from "./types.js" */

export class WrittenRow {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.list = make("ul", { role: "list" });
    this.node = make("div", { class: "chips written" }, this.list);
    this.verdict = make("p", { class: "words-verdict" });
    /** The short form of the verdict, for when there is no room for the sentence. */
    this.sign = make("span", { class: "words-sign", "aria-hidden": "true" });
    /** The word that is the Tab stop. */
    this.active = 0;
    this.list.addEventListener("keydown", (event) => this.key(event));
    /** What is shown while a number oscillates. @type {Written | null} */
    this.swinging = null;
    /**
     * The words at equal steps of the phase, from the lowest value to the highest.
     * @type {Frame[]}
     */
    this.frames = [];
  }

  /** @param {Frame[]} frames empty when the oscillation ends */
  swing(frames) {
    this.frames = frames;
    if (frames.length) return;
    this.swinging = null;
    this.refresh();
  }

  /** @param {number} share phase from the lowest value, 0 … 1 */
  turnTo(share) {
    const frame = this.frames[Math.round(share * (this.frames.length - 1))];
    if (!frame) return;
    const [tokens, probabilities, verdict, end] = frame;
    const rest = this.source.now.tokens;
    const changed = tokens.map((token, at) => token !== rest[at]);
    this.swinging = { tokens, probabilities, changed, verdict, end };
    this.refresh();
  }

  refresh() {
    const { now } = this.source;
    this.node.hidden = !now.writes;
    const verdict = now.writes ? (this.swinging ?? now).verdict : "";
    setText(this.verdict, verdict);
    setAttribute(this.verdict, "title", verdict || null);
    setText(this.sign, verdict.slice(0, 1));
    if (!now.writes) return;
    const { probabilities, changed, end } = this.swinging ?? this.source.written;
    const words = (this.swinging ?? now).tokens;
    const tokens = end === null ? words : [...words, now.end];
    while (this.list.children.length > tokens.length) this.list.lastElementChild?.remove();
    while (this.list.children.length < tokens.length)
      this.list.append(this.word(this.list.children.length));
    tokens.forEach((token, at) => {
      const isEnd = at === words.length;
      const p = isEnd ? end : (probabilities[at] ?? null);
      const id = this.swinging ? undefined : now.ids[at];
      const item = this.list.children[at];
      item.classList.toggle("end", isEnd);
      this.show(item, token, p, changed[at] ?? false, id);
    });
    this.rove();
  }

  /** The chips that can be selected; given words were not written, so they cannot. */
  get chips() {
    return [...this.list.querySelectorAll("button")].filter(({ disabled }) => !disabled);
  }

  /** Makes one word the Tab stop. @param {number} [active] */
  rove(active = this.active) {
    const { chips } = this;
    this.active = Math.max(0, Math.min(active, chips.length - 1));
    chips.forEach((chip, at) => {
      setAttribute(chip, "tabindex", at === this.active ? 0 : -1);
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { chips } = this;
    const at = chips.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    const goal = stepOf(event, at, chips.length - 1);
    if (at < 0 || goal === undefined) return;
    event.preventDefault();
    chips[Math.max(0, Math.min(goal, chips.length - 1))].focus();
  }

  /** @param {number} at */
  word(at) {
    const chip = make(
      "button",
      {
        type: "button",
        class: "chip",
        onclick: () => this.source.look(at),
        onfocus: () => this.rove(this.chips.indexOf(chip)),
      },
      "",
    );
    const id = make("span", { class: "under", title: "token id" });
    return make("li", {}, chip, make("span", { class: "under p" }), id);
  }

  /**
   * @param {Element} item @param {string} token @param {number | null} p @param {boolean} isNew
   * @param {number | undefined} id
   */
  show(item, token, p, isNew, id) {
    const [chip, under, underId] = item.children;
    setText(chip, tokenText(token));
    chip.classList.toggle("special", isSpecial(token));
    chip.classList.toggle("changed", isNew);
    const number = p === null ? "" : p.toFixed(2).replace(/^0/, "");
    setText(under, number);
    setText(underId, id === undefined ? "" : String(id));
    const said = p === null ? "given" : `probability ${p.toFixed(2)}`;
    setAttribute(chip, "aria-label", `${tokenName(token)}, ${said}${isNew ? ", changed" : ""}`);
    setAttribute(
      chip,
      "title",
      p === null ? null : `written with p = ${p.toFixed(3)}; press it to follow what writes it`,
    );
    if (chip instanceof HTMLButtonElement) chip.disabled = p === null;
  }
}
