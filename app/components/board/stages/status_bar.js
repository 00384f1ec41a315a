/** The bar at the bottom of the window: the current cell in full precision, and the legend. */

import { setNames } from "../../shared/cell_name.js";
import { make, setAttribute, setText } from "../../shared/dom.js";
import { typeset } from "../../shared/katex.js";
import { decimalText, scientificText } from "../../shared/number_format.js";
import { cellWords } from "../data/cell_words.js";
import { COVERED, COVERED_SIGN, COVERED_WORDS, flagWords } from "../data/flags.js";
import { makeLegend } from "../paint/legend.js";
import { dotWords } from "../paint/overview.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {MatrixStore, Place} from "../data/matrix_store.js"
 * @import {FollowedLane} from "../data/types.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {GridView} from "../paint/view.js"
 * @import {Changed} from "../whole/last_change.js"
 */

const HINT = "Press a number to read it and to change it.";

/** What is marked of the last change, in short and in a sentence. */
const CARRIED = {
  key: "carried the change",
  words:
    "Ribbons with a color carried most of the last change, through the rows in full color, to " +
    "the word that is pink now.",
};
const MOVED = {
  key: "moved by the last change",
  words: "A bar beside a row or a title: the last change moved it; the stronger, the more.",
};

export class StatusBar {
  /**
   * @param {MatrixStore} store @param {Cursors<GridView>} cursors @param {Appearance} appearance
   * @param {() => void} unfollow stops following the word
   */
  constructor(store, cursors, appearance, unfollow) {
    this.store = store;
    this.cursors = cursors;
    this.appearance = appearance;
    this.hint = make("div", { class: "hint" }, HINT);
    /** What can be done here, and in its place what the last change and what dropout did. */
    this.said = { hint: HINT, change: "", dropped: "", isElsewhere: false };
    this.path = make("span", { class: "path" });
    this.symbol = make("span", { class: "symbol" });
    this.where = make("span", { class: "where" });
    this.part = make("span", { class: "in-part" });
    this.value = make("strong", { class: "value" });
    this.decimal = make("span", { class: "decimal" });
    this.live = make("div", { class: "unseen", "aria-live": "polite" });
    this.followed = make("button", { type: "button", class: "followed", onclick: unfollow });
    this.followed.hidden = true;
    this.reached = make("span", { class: "reached", hidden: true });
    this.marked = CARRIED;
    this.moved = make("span");
    this.marks = make("span", { class: "change-key", hidden: true }, make("i"), this.moved);
    const place = make("div", { class: "place" }, this.symbol, this.where, this.part);
    const readout = make(
      "div",
      { class: "readout" },
      this.hint,
      make("div", {}, this.value, this.decimal, this.path),
    );
    this.el = make(
      "div",
      { class: "status" },
      this.followed,
      place,
      readout,
      this.reached,
      this.marks,
      makeLegend(),
    );
  }

  /**
   * Shows a hint on what can be done here; a page of pictures has its own.
   * @param {string | undefined} hint
   */
  explain(hint) {
    this.said.hint = hint || HINT;
    this.showHint();
    this.el.classList.toggle("only-read", Boolean(hint));
  }

  /** @param {Changed} changed the last change */
  tellChange({ cause = "", effect = "" }) {
    this.said.change = [effect, cause].filter(Boolean).join(" ");
    this.showHint();
  }

  /** @param {string} sentence what dropout does; empty without dropout */
  tellDropped(sentence) {
    this.said.dropped = sentence;
    this.el.classList.toggle("drops", sentence !== "");
    this.showHint();
  }

  /** @param {boolean} isElsewhere whether the picture says the last change */
  leaveChange(isElsewhere) {
    if (this.said.isElsewhere === isElsewhere) return;
    this.said.isElsewhere = isElsewhere;
    this.showHint();
  }

  showHint() {
    const { hint, isElsewhere, dropped } = this.said;
    const change = isElsewhere ? "" : this.said.change;
    const told = [change, dropped].filter(Boolean).join(" · ");
    setNames(this.hint, told || hint);
    this.hint.title = told;
    this.hint.classList.toggle("told", told !== "");
    // Of a cell that is read the hint is not shown.
    const isTold = change !== "" && !this.el.classList.contains("empty");
    setNames(this.moved, isTold ? change : this.marked.key);
    setAttribute(this.marks, "title", this.marked.words);
    this.marks.classList.toggle("carried", this.marked === CARRIED);
    this.marks.classList.toggle("told", isTold);
  }

  /** @param {FollowedLane | null} lane */
  follow(lane) {
    this.followed.hidden = lane === null;
    if (!lane) return;
    const word = lane.word ? `“${lane.word}”` : `token ${lane.index} of the ${lane.stack}`;
    setText(this.followed, `Following ${word} ×`);
    this.followed.title = "Show all words alike again";
  }

  /**
   * @param {boolean} areLinks whether links are marked that carried the last change
   * @param {boolean} areRows whether rows are marked that it moved
   */
  explainMarks(areLinks, areRows) {
    const marked = areRows ? MOVED : CARRIED;
    const isHidden = !areLinks && !areRows;
    if (this.marks.hidden === isHidden && this.marked === marked) return;
    this.marks.hidden = isHidden;
    this.marked = marked;
    this.showHint();
  }

  /** How much the selected number reaches. @param {string} sentence empty: that is not marked */
  reaches(sentence) {
    this.reached.hidden = !sentence;
    if (!sentence || sentence === this.reached.textContent) return;
    setText(this.reached, sentence);
    this.say(sentence);
  }

  /** Announces a text to screen readers. @param {string} text */
  say(text) {
    this.live.textContent = text;
  }

  /**
   * The current cell: the one under the pointer, or else that of the keyboard, or else selected.
   * @returns {Place | null}
   */
  subject() {
    const { pointed, focused, selection } = this.cursors;
    if (pointed) return { matrix: pointed.view.matrix, i: pointed.i, j: pointed.j };
    // A click leaves the focus, too, but no ring to go on from.
    if (focused?.grid.matches(":focus-visible"))
      return { matrix: focused.matrix, ...focused.active };
    return selection && this.store.cell(selection.path, selection.i, selection.j);
  }

  refresh() {
    const place = this.subject();
    const isKnown = place !== null && place.i < place.matrix.rows && place.j < place.matrix.cols;
    this.el.classList.toggle("empty", !isKnown);
    this.el.classList.toggle("compares", this.appearance.settings.plane !== "value");
    this.showHint();
    if (!isKnown) return;
    const { matrix, i, j } = place;
    const { entry } = matrix;
    const at = i * matrix.cols + j;
    const value = matrix.values?.[at];
    setText(this.path, entry.products ? matrix.path : (entry.origin?.[0] ?? matrix.path));
    if (this.symbol.dataset.tex !== entry.tex) typeset(this.symbol, entry.tex);
    setText(this.part, entry.place ?? "");
    setNames(this.where, entry.block ? dotWords(entry, i, j) : cellWords(entry, i, j));
    if (value === undefined) {
      setText(this.value, "not computed yet");
      setText(this.decimal, "");
      return;
    }
    if (matrix.flags?.[at] === COVERED) {
      setText(this.value, COVERED_SIGN);
      setText(this.decimal, COVERED_WORDS);
      return;
    }
    const [short, inFull] = this.numberWords(value);
    const second = this.appearance.hasSecond ? matrix.gradients?.[at] : undefined;
    setText(this.value, second === undefined ? short : this.appearance.secondText(second));
    const isLargest = entry.block && entry.block[0] * entry.block[1] > 1;
    const marks = flagWords(matrix.flags?.[at] ?? 0);
    const more = [
      second === undefined ? inFull : `· value ${decimalText(value)}`,
      isLargest ? " · the number of largest magnitude there" : "",
      marks && ` · ${marks}`,
      this.appearance.settings.plane === "change" && !matrix.baseline
        ? " · nothing pinned of this size"
        : changeWords(value, matrix.baseline?.[at]),
    ];
    setText(this.decimal, more.join(""));
  }

  /**
   * A number in words, in one notation if that is also convenient to type, or else in two.
   * @param {number} value @returns {[short: string, inFull: string]}
   */
  numberWords(value) {
    const decimal = decimalText(value);
    if (!value || !Number.isFinite(value)) return [decimal, ""];
    if (this.appearance.inDecimals && isHandy(value)) return [decimal, ""];
    return [scientificText(value, 3), `= ${decimal}`];
  }
}

/** Whether its decimal has few zeros. @param {number} v */
const isHandy = (v) => v === 0 || (Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5);

/** @param {number} value @param {number | undefined} before its value in the pinned baseline */
function changeWords(value, before) {
  if (before === undefined) return "";
  const change = value === before ? 0 : Number((value - before).toPrecision(6));
  return ` · pinned ${decimalText(Number(before.toPrecision(4)))}, change ${decimalText(change)}`;
}
