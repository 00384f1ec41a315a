/** A list of numbers that move: from which value to which, and what is then written. */

import { nameParts } from "../shared/cell_name.js";
import { make, setAttribute } from "../shared/dom.js";
import { MINUS } from "../shared/number_format.js";

/**
 * @typedef {object} NumberRow
 * @property {string} path @property {number} i @property {number} j
 * @property {string} name symbol, row and column
 * @property {string} place the matrix, in words
 * @property {number} now
 * @property {number} value
 * @property {string[]} sentence what is then written; empty if it is not known
 * @property {boolean[]} changed for each word, whether it is another one than before
 */

const FIGURES = 3; // of the move, as far as a border is known
const MOST_DECIMALS = 8;

/**
 * The two values with as many decimals as show the move with three figures.
 * @param {number} now @param {number} value
 */
export function toFigures(now, value) {
  const move = Math.abs(value - now);
  const decimals = move ? FIGURES - 1 - Math.floor(Math.log10(move)) : FIGURES;
  const shown = Math.max(0, Math.min(MOST_DECIMALS, decimals));
  return [now, value].map((x) => x.toFixed(shown).replace("-", MINUS));
}

export class NumberList {
  /** @param {(row: NumberRow) => void} press */
  constructor(press) {
    this.press = press;
    this.node = make("ol", { class: "pull-list", role: "list", "aria-label": "Numbers" });
    this.rows = /** @type {NumberRow[]} */ ([]);
    this.buttons = /** @type {HTMLButtonElement[]} */ ([]);
  }

  /** @param {NumberRow[]} rows @param {number} taken @param {boolean} canTake */
  show(rows, taken, canTake) {
    this.node.hidden = !rows.length;
    while (this.buttons.length > rows.length) this.buttons.pop()?.parentElement?.remove();
    // Buttons are reused, since one may have the focus while the list grows.
    for (const [at, row] of rows.entries()) {
      if (at === this.buttons.length) this.add(at);
      if (row !== this.rows[at]) this.fill(this.buttons[at], row, canTake);
      if (canTake) setAttribute(this.buttons[at], "aria-pressed", String(at === taken));
      else this.buttons[at].removeAttribute("aria-pressed");
    }
    this.rows = rows;
  }

  /** @param {number} at */
  add(at) {
    const button = make("button", {
      type: "button",
      class: "pull-row",
      onclick: () => this.press(this.rows[at]),
    });
    this.buttons.push(button);
    this.node.append(make("li", {}, button));
  }

  /** @param {HTMLButtonElement} button @param {NumberRow} row @param {boolean} canTake */
  fill(button, { name, place, now, value, sentence, changed }, canTake) {
    const [from, to] = toFigures(now, value);
    const moved = `${from} → ${to}`;
    const words = sentence.flatMap((word, at) => [
      at ? " " : "",
      changed[at] ? make("b", {}, word) : word,
    ]);
    button.replaceChildren(
      make(
        "span",
        { class: "pull-name" },
        ...nameParts(name).map(([tag, text]) => (tag ? make(tag, {}, text) : text)),
      ),
      make("span", { class: "pull-moved" }, moved),
      make("span", { class: "pull-written" }, ...words),
    );
    const what = sentence.length ? `; then it writes: ${sentence.join(" ")}` : "";
    const all = `${name}, ${place}: from ${from} to ${to}${what}`;
    setAttribute(button, "aria-label", all);
    setAttribute(button, "title", `${all}. ${canTake ? "Take this one" : "Go there"}.`);
  }
}
