/** One word: its name, its bar with the mark of what it was, its number. */

import { make, setAttribute, setText } from "../shared/dom.js";

const GHOST = 0.004; // a difference that can be seen

/** @param {number} p */
const numberText = (p) => (p > 0 && p < 0.0005 ? "<.001" : p.toFixed(3).replace(/^0/, ""));

export class Bar {
  /** @param {(word: string) => void} press */
  constructor(press) {
    this.of = "";
    this.word = make("span", { class: "word" });
    this.fill = make("span", { class: "fill" });
    this.ghost = make("span", { class: "ghost" });
    this.number = make("span", { class: "number" });
    const track = make("span", { class: "track" }, this.fill, this.ghost);
    this.button = make(
      "button",
      { type: "button", class: "next-word", onclick: () => press(this.of) },
      this.word,
      track,
      this.number,
    );
    this.node = make("li", {}, this.button);
  }

  /**
   * @param {string | undefined} word @param {number} p @param {number | undefined} before
   * @param {boolean} isWritten
   */
  show(word, p, before, isWritten) {
    this.button.hidden = word === undefined;
    if (word === undefined) return;
    this.of = word;
    setText(this.word, word === "" ? "∅" : word.replaceAll(" ", "␣"));
    setText(this.number, numberText(p));
    this.fill.style.transform = `scaleX(${p})`;
    const moved = before !== undefined && Math.abs(before - p) > GHOST ? before : undefined;
    this.ghost.hidden = moved === undefined;
    if (moved !== undefined) this.ghost.style.left = `${100 * moved}%`;
    this.button.classList.toggle("written", isWritten);
    const was = moved === undefined ? "" : `, before the edit ${numberText(moved)}`;
    const said = `${word || "empty token"}, probability ${numberText(p)}${was}`;
    setAttribute(this.button, "aria-label", said);
    setAttribute(this.button, "title", `${said}. Click to select it.`);
  }
}
