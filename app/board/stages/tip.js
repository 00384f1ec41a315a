/** The tooltip of a cell under the pointer: its symbol, number and labels. */

import { setNames } from "../../components/shared/cell_name.js";
import { make, setText } from "../../components/shared/dom.js";
import { typeset } from "../../components/shared/katex.js";
import { decimalText, movingText, scientificText } from "../../components/shared/number_format.js";
import { cellLabels } from "../data/cell_words.js";
import { COVERED, COVERED_SIGN, flagWords } from "../data/flags.js";
import { dotWords } from "../paint/overview.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {GridView} from "../paint/view.js"
 */

/** px between a cell and its tooltip, and between the tooltip and the edges. */
const AWAY = 8;
/** Significant digits in the tooltip; the read-out has all digits. */
const DIGITS = 4;
const SMALL = 0.001;

export class Tip {
  /**
   * @param {HTMLElement} root the board's root, the parent of the tooltip
   * @param {Cursors<GridView>} cursors @param {Appearance} appearance
   * @param {() => boolean} moves whether a number is dragged or oscillates
   */
  constructor(root, cursors, appearance, moves) {
    this.root = root;
    this.cursors = cursors;
    this.appearance = appearance;
    this.moves = moves;
    this.symbol = make("span", { class: "symbol" });
    this.value = make("strong", {});
    this.marks = make("span", { class: "marks" });
    this.names = make("div", { class: "names" });
    this.about = make("div", { class: "names" });
    // Hidden from screen readers, which read the same text in the cell with the focus.
    this.el = make(
      "div",
      { class: "tip", "aria-hidden": "true", hidden: true },
      make("div", {}, this.symbol, this.value, this.marks),
      this.names,
      this.about,
    );
  }

  /** Moves to the cell under the pointer; hides without a cell or if its view is folded. */
  follow() {
    const { pointed } = this.cursors;
    const isShown = pointed !== null && !pointed.view.isFolded;
    this.el.hidden = !isShown;
    if (!isShown) return;
    const { entry } = pointed.view.matrix;
    typeset(this.symbol, entry.tex);
    setNames(
      this.names,
      entry.block ? dotWords(entry, pointed.i, pointed.j) : cellLabels(entry, pointed.i, pointed.j),
    );
    this.refresh();
    this.place(pointed.view, pointed.i, pointed.j);
  }

  /** Hides the tooltip until the pointer moves, because the cells have moved. */
  hide() {
    this.el.hidden = true;
  }

  /** Updates the number. */
  refresh() {
    const { pointed } = this.cursors;
    if (!pointed || this.el.hidden) return;
    const { matrix } = pointed.view;
    const { appearance } = this;
    const at = pointed.i * matrix.cols + pointed.j;
    const number = matrix.values?.[at];
    const second = appearance.hasSecond ? matrix.gradients?.[at] : undefined;
    const mark = matrix.flags?.[at] ?? 0;
    if (mark === COVERED) setText(this.value, COVERED_SIGN);
    else if (second !== undefined) setText(this.value, appearance.secondText(second));
    else if (number === undefined) setText(this.value, "not computed yet");
    else setText(this.value, this.text(number, matrix.most(at)));
    setText(this.marks, flagWords(mark));
    setText(this.about, this.aboutCell(matrix));
  }

  /** Explains why a cell shows no change, or cannot be dragged. @param {Matrix} matrix */
  aboutCell({ entry, baseline }) {
    if (this.appearance.settings.plane === "change" && !baseline)
      return "no change to show: the size has changed since it was pinned";
    return entry.fixed || entry.products ? "locked: you can only look at it" : "";
  }

  /** @param {number} v @param {number} most its largest magnitude while it moves */
  text(v, most) {
    if (!this.appearance.inDecimals || (v !== 0 && most < SMALL)) return scientificText(v, 2);
    if (this.moves()) return movingText(v, most);
    return Number.isFinite(v) ? decimalText(Number(v.toPrecision(DIGITS))) : scientificText(v);
  }

  /**
   * Places the tip above or below the row and beside the column, so that both stay visible.
   * @param {GridView} view @param {number} i @param {number} j
   */
  place(view, i, j) {
    const box = view.boxOf(i, j);
    const sheet = view.sheet.getBoundingClientRect();
    const root = this.root.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.el;
    // If the header would cover the tooltip, place the tooltip below the cell.
    const header = Number.parseFloat(getComputedStyle(this.root).getPropertyValue("--above")) || 0;
    const down = { start: sheet.y + box.y, size: box.height };
    const isAbove = down.start - height - AWAY > Math.max(header, root.top);
    const y = isAbove ? before(down, height) : after(down);
    const across = { start: sheet.x + box.x, size: box.width };
    const [left, right] = [Math.max(root.left, 0) + AWAY, Math.min(root.right, innerWidth) - AWAY];
    const isRight = after(across) + width <= right;
    const x = isRight ? after(across) : Math.max(left, before(across, width));
    this.el.style.transform = `translate(${Math.round(x - root.x)}px, ${Math.round(y - root.y)}px)`;
  }
}

/** @typedef {{start: number, size: number}} Side of a cell, CSS px */

/** The start of a box that ends before a cell. @param {Side} cell @param {number} size */
const before = ({ start }, size) => start - size - AWAY;

/** The start of a box that begins after a cell. @param {Side} cell */
const after = ({ start, size }) => start + size + AWAY;
