/** The most probable next tokens, after one of the target's tokens. */

import { make, setText } from "../shared/dom.js";

/** @import {Likeliest} from "../board/stages/next_tokens.js" */

const TOP = 6;
const MANY = 400; // words from which on the bars need not follow every single paint
const PAUSE = 100; // ms between two paints of so many

export class NextTokens {
  constructor() {
    this.rows = /** @type {string[] | null} */ (null);
    this.drawn = 0;
    this.many = false;
    /** The row the reader chose; null follows the last one as tokens come and go. */
    this.chosen = /** @type {number | null} */ (null);
    this.select = make("select", {
      id: "after",
      onchange: () => {
        this.chosen =
          this.select.selectedIndex === this.select.length - 1 ? null : this.select.selectedIndex;
        this.drawn = 0;
        this.show();
      },
    });
    this.bars = Array.from({ length: TOP + 1 }, () => {
      const word = make("span", { class: "word" });
      const bar = make("span", { class: "bar", "aria-hidden": "true" });
      const number = make("span", { class: "probability" });
      return {
        word,
        bar,
        number,
        node: make("li", {}, word, make("span", { class: "track" }, bar), number),
      };
    });
    this.bars[TOP].node.classList.add("others");
    this.node = make(
      "section",
      { class: "next" },
      make("h2", {}, "Next token"),
      make("div", { class: "field" }, make("label", { for: "after" }, "after"), this.select),
      make("ul", { role: "list" }, ...this.bars.map(({ node }) => node)),
    );
    this.node.hidden = true;
  }

  /** Read what is on the page now. */
  show() {
    const board = window.tinkerformer;
    const now = performance.now();
    if (this.many && now - this.drawn < PAUSE) return;
    const found = board?.ready ? board.likeliest(this.row, TOP) : null;
    this.node.hidden = !found;
    if (!found) return;
    if (found.rows !== this.rows) {
      this.take(found.rows);
      this.show();
      return;
    }
    this.many = found.of > MANY;
    this.drawn = now;
    this.draw(found);
  }

  /** Show what may come after another position. @param {number} row */
  look(row) {
    this.chosen = row;
    if (row < this.select.length) this.select.selectedIndex = row;
    this.drawn = 0;
    this.show();
  }

  get row() {
    return Math.max(0, this.select.selectedIndex);
  }

  /** @param {string[]} rows the tokens to choose from */
  take(rows) {
    this.rows = rows;
    this.drawn = 0;
    this.select.replaceChildren(
      ...rows.map((label, row) =>
        make("option", {}, `${label === "" ? "∅" : label}  (position ${row})`),
      ),
    );
    if (this.chosen !== null && this.chosen >= rows.length - 1) this.chosen = null;
    this.select.selectedIndex = this.chosen ?? rows.length - 1;
  }

  /** @param {Likeliest} likeliest */
  draw({ best, of }) {
    if (!best.length) return;
    for (let at = 0; at < TOP; at += 1) this.fill(at, best.at(at)?.word, best.at(at)?.p ?? 0);
    const rest = Math.max(0, 1 - best.reduce((sum, { p }) => sum + p, 0));
    this.fill(TOP, of > TOP ? `${of - TOP} others` : undefined, rest);
  }

  /** @param {number} at @param {string | undefined} word @param {number} p */
  fill(at, word, p) {
    const bar = this.bars[at];
    bar.node.hidden = word === undefined;
    if (word === undefined) return;
    setText(bar.word, word === "" ? "∅" : word);
    setText(bar.number, p > 0 && p < 0.0005 ? "<.001" : p.toFixed(3));
    bar.bar.style.transform = `scaleX(${p})`;
  }
}
