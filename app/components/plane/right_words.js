/** The words that should be written, each with what is written in its place; others are chosen. */

import { make, setAttribute, setText } from "../shared/dom.js";

/**
 * @typedef {object} RightWord
 * @property {number} at its position @property {string} word @property {string} text as shown
 * @property {string} p its probability
 * @property {string} writes what is written in its place; empty if it is
 * @property {boolean} open whether another one can be chosen
 *
 * @typedef {[kind: string, words: string[]][]} Known words to choose from
 */

export class RightWords {
  /**
   * @param {(at: number, word: string) => void} choose
   * @param {() => void} write the model writes its words itself
   */
  constructor(choose, write) {
    this.choose = choose;
    this.known = /** @type {Known} */ ([]);
    this.words = /** @type {Word[]} */ ([]);
    const name = make("li", { class: "plane-what is-name", "aria-hidden": "true" }, "should be");
    this.list = make("ul", { role: "list", "aria-label": "Words that should be written" }, name);
    this.said = make("span", { role: "status" });
    this.write = make(
      "button",
      { type: "button", class: "by-words", onclick: write },
      "Let it write by itself",
    );
    const said = make("p", { class: "teaches" }, this.said, this.write);
    this.el = make("div", { class: "right-words" }, this.list, said);
  }

  /**
   * @param {RightWord[]} right @param {Known} known @param {string} said
   * @param {boolean} canWrite whether the model can be left to write what it was taught
   */
  show(right, known, said, canWrite) {
    this.el.hidden = right.length === 0;
    this.write.hidden = !canWrite;
    this.known = known;
    // Reuse the fields: one may have the focus, or be open, while the numbers move.
    while (this.words.length < right.length) {
      const word = new Word(this);
      this.words.push(word);
      this.list.append(word.el);
    }
    for (const { el } of this.words.splice(right.length)) el.remove();
    for (const [k, word] of this.words.entries()) word.show(right[k]);
    setText(this.said, said);
  }
}

/** A word that should be written. */
class Word {
  /** @param {RightWords} all */
  constructor(all) {
    this.all = all;
    this.now = /** @type {RightWord | null} */ (null);
    this.known = /** @type {Known | null} */ (null); // the words that the field offers
    this.select = make("select", {
      onpointerdown: () => this.fill(),
      onfocus: () => this.fill(),
      onchange: () => this.chosen(),
    });
    this.name = make("span", { class: "right-word" });
    this.written = make("span", { class: "is-written" });
    this.el = make("li", {}, this.select, this.name, this.written);
  }

  /** @param {RightWord} now */
  show(now) {
    const isOther = now.word !== this.now?.word;
    this.now = now;
    const { at, text, p, writes, open } = now;
    const canChoose = open && this.all.known.length > 0;
    this.select.hidden = !canChoose;
    this.name.hidden = canChoose;
    setText(this.name, text);
    const does = writes ? `writes ${writes}` : "is written";
    setAttribute(this.select, "aria-label", `should be at position ${at}: ${does}, ${text} ${p}`);
    setAttribute(this.select, "title", "Choose another word: the steps teach it.");
    setText(this.written, writes ? `writes ${writes}` : "");
    this.el.classList.toggle("is-other", writes !== "");
    if (isOther) this.offer();
    else if (this.known !== null) this.fill();
  }

  /** Until it is needed a field has its own word alone: there may be many words. */
  offer() {
    if (this.known !== null) {
      this.known = null;
      this.fill();
    } else if (this.now) {
      this.select.replaceChildren(make("option", { value: this.now.word }, this.now.text));
    }
  }

  fill() {
    if (this.known === this.all.known || !this.now) return;
    this.known = this.all.known;
    const { word, text } = this.now;
    const option = (/** @type {string} */ each) =>
      make("option", { value: each }, each === word ? text : shown(each));
    const isKnown = this.known.some(([, words]) => words.includes(word));
    this.select.replaceChildren(
      ...(isKnown ? [] : [option(word)]),
      ...this.known.flatMap(([kind, words]) =>
        kind ? [make("optgroup", { label: kind }, ...words.map(option))] : words.map(option),
      ),
    );
    this.select.value = word;
  }

  chosen() {
    const { value } = this.select;
    if (this.now && value !== this.now.word) this.all.choose(this.now.at, value);
  }
}

/** @param {string} word */
const shown = (word) => word.replace(/ /g, "␣") || "∅";
