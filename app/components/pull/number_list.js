/** A list of numbers that move: where each is, from which value to which, what is then written. */

import { announce } from "../shared/announce.js";
import { nameNode } from "../shared/cell_name.js";
import { make, setAttribute } from "../shared/dom.js";
import { MINUS } from "../shared/number_format.js";
import { becomes } from "./becomes.js";

/**
 * @typedef {object} NumberRow
 * @property {string} path @property {number} i @property {number} j
 * @property {string} name symbol, row and column
 * @property {string} place where the matrix is, in words
 * @property {number} now
 * @property {number} value
 * @property {string[]} sentence what is then written; empty if it is not known
 * @property {boolean[]} changed for each word, whether it is another one than before
 * @property {number} length how many words the sentence had before
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
    this.list = make("ol", { class: "pull-list", role: "list", "aria-label": "Numbers" });
    /** The room of the list, which ends with a whole row in it. */
    this.node = make("div", { class: "pull-room" }, this.list);
    this.sizes = new ResizeObserver(() => {
      this.fit();
      this.keepInSight();
    });
    this.sizes.observe(this.node);
    this.rows = /** @type {NumberRow[]} */ ([]);
    this.buttons = /** @type {HTMLButtonElement[]} */ ([]);
    this.taken = -1;
  }

  /** @param {NumberRow[]} rows @param {number} taken @param {boolean} canTake */
  show(rows, taken, canTake) {
    this.list.hidden = !rows.length;
    while (this.buttons.length > rows.length) this.buttons.pop()?.parentElement?.remove();
    // Buttons are reused, since one may have the focus while the list grows.
    for (const [at, row] of rows.entries()) {
      if (at === this.buttons.length) this.add(at);
      this.fill(this.buttons[at], row, canTake);
      if (canTake) setAttribute(this.buttons[at], "aria-pressed", String(at === taken));
      else this.buttons[at].removeAttribute("aria-pressed");
    }
    this.rows = rows;
    this.taken = taken;
    this.fit();
  }

  /** Cuts no row, unless not one has room. */
  fit() {
    if (!this.items.length) return;
    const room = this.node.clientHeight;
    let end = 0;
    for (const { offsetTop, offsetHeight } of this.items) {
      if (offsetTop + offsetHeight > room) break;
      end = offsetTop + offsetHeight;
    }
    this.list.style.maxHeight = `${end || room}px`;
  }

  /** Shows the row that has the focus, or was taken, once there is less room. */
  keepInSight() {
    const { list } = this;
    const item = this.items.find((each) => each.matches(":focus-within")) ?? this.items[this.taken];
    if (!item) return;
    const { offsetTop: top, offsetHeight: height } = item;
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
      list.scrollTop = top;
  }

  get items() {
    return /** @type {HTMLElement[]} */ ([...this.list.children]);
  }

  remove() {
    this.sizes.disconnect();
  }

  /** @param {number} at */
  add(at) {
    // The number of the line that is looked at is pointed out where it is drawn.
    const look = () => {
      const { path, i, j } = this.rows[at];
      announce("point-at", { path, i, j });
    };
    const away = () => announce("point-at");
    const button = make("button", {
      type: "button",
      class: "pull-row",
      onclick: () => this.press(this.rows[at]),
      onmouseenter: look,
      onmouseleave: away,
      onfocus: look,
      onblur: away,
    });
    this.buttons.push(button);
    this.list.append(make("li", {}, button));
  }

  /** @param {HTMLButtonElement} button @param {NumberRow} row @param {boolean} canTake */
  fill(button, row, canTake) {
    const { name, place, sentence } = row;
    const [from, to] = toFigures(row.now, row.value);
    const what = sentence.length ? `; then it writes: ${sentence.join(" ")}` : "";
    const all = `${name}, ${place}: from ${from} to ${to}${what}`;
    const title = `${all}. ${canTake ? "Take this one" : "Go there"}.`;
    // The list grows 30 times a second: a row that says what it said before stays as it is.
    if (button.title === title) return;
    button.title = title;
    setAttribute(button, "aria-label", all);
    button.replaceChildren(
      make("span", { class: "pull-name" }, nameNode(name)),
      make("span", { class: "pull-moved" }, `${from} → ${to}`),
      make("span", { class: "pull-place" }, place),
      make(
        "span",
        { class: "pull-written" },
        ...becomes(row).map(([text, isNew]) => (isNew ? make("b", {}, text) : text)),
      ),
    );
  }
}
