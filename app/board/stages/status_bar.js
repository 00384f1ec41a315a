/** The bar at the bottom of the window: the current cell in full precision, and the legend. */

import { withNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";
import { typeset } from "../../components/shared/katex.js";
import { html } from "../../components/shared/lit-html.js";
import {
  decimalText,
  isHandy,
  movingText,
  scientificText,
} from "../../components/shared/number_format.js";
import { classes, drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";
import { cellWords } from "../data/cell_words.js";
import { COVERED, COVERED_SIGN, COVERED_WORDS, flagWords } from "../data/flags.js";
import { headVariable } from "../links/head_toggles.js";
import { legend } from "../paint/legend.js";
import { dotWords } from "../paint/overview.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {MatrixStore, Place} from "../data/matrix_store.js"
 * @import {FollowedLane} from "../data/types.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {GridView} from "../paint/view.js"
 * @import {Changed} from "../picture/last_change.js"
 */

const HINT = "Press a number to read it and to change it.";

/** The legend of the marks of the last change: a short form and a sentence. */
const CARRIED = {
  key: "carried the change",
  words:
    "The strongest ribbons carried most of the last change, through the rows in full color, from " +
    "the number in the ring to the word with a dotted underline.",
};

export class StatusBar {
  /**
   * @param {MatrixStore} store @param {Cursors<GridView>} cursors @param {Appearance} appearance
   * @param {() => boolean} moves whether a number is dragged or oscillates
   * @param {() => void} unfollow stops following the word
   * @param {() => void} train trains the model; offered if the last change made the weights random
   */
  constructor(store, cursors, appearance, moves, unfollow, train) {
    this.store = store;
    this.cursors = cursors;
    this.appearance = appearance;
    this.moves = moves;
    this.unfollow = unfollow;
    this.train = train;
    /** The hint, and the sentences that replace the hint: on the last change and on dropout. */
    this.said = { hint: "", change: "", train: "", dropped: "", isElsewhere: false };
    /** The current cell. */
    this.cell = { path: "", where: "", part: "", value: "", more: /** @type {string[]} */ ([]) };
    this.symbol = make("span", { class: "symbol" });
    this.isEmpty = true;
    this.isAtCursor = false; // shows the keyboard's cell, while another cell is selected
    this.compares = false;
    this.lane = /** @type {FollowedLane | null} */ (null);
    this.reached = "";
    this.live = make("div", { class: "unseen", "aria-live": "polite" });
    this.carriers = /** @type {number[]} */ ([]); // heads whose links carried the last change
    this.legend = legend();
    const { node, show } = drawn(() => this.template());
    this.el = node;
    this.draw = show;
  }

  template() {
    const { said, cell, lane, carriers } = this;
    const change = said.isElsewhere ? "" : said.change;
    const told = [change, said.dropped].filter(Boolean).join(" · ");
    // While a cell is shown, there is no hint.
    const isTold = change !== "" && !this.isEmpty;
    const swatches = carriers.map((head) => html`<i style="--head: ${headVariable(head)}"></i>`);
    const word = lane?.word ? `“${lane.word}”` : `token ${lane?.index} of the ${lane?.stack}`;
    const kinds = [said.hint && "only-read", said.dropped && "drops", this.isEmpty && "empty"];
    return html`<div class=${classes("status", ...kinds, this.compares && "compares")}
      data-part="status">
      <button type="button" class="followed" title=${inUnits("Show all words alike again")}
        ?hidden=${!lane} @click=${this.unfollow}>Following ${word} ×</button>
      <div class="place"><span class="at-cursor" ?hidden=${!this.isAtCursor}
        >At the cursor, Enter selects it:</span>${this.symbol}<span class="where"
        >${withNames(cell.where)}</span><span
        class="in-part">${cell.part}</span></div>
      <div class="readout">
        <div class=${told ? "hint told" : "hint"} title=${told}
          ><span>${withNames(told || said.hint || HINT)}</span><button type="button" class="train"
          ?hidden=${!change || !said.train} @click=${this.train}>${said.train}</button></div>
        <div class="parts"><strong class="value">${cell.value}</strong>${cell.more.map(
          (part) => html`<span class="more">${part}</span>`,
        )}<span class="path">${cell.path}</span></div>
      </div>
      <span class="reached" ?hidden=${!this.reached}>${this.reached}</span>
      <span class=${classes("change-key", isTold && "told")} title=${inUnits(CARRIED.words)}
        ?hidden=${!carriers.length || this.compares}>${swatches}<span
        >${withNames(isTold ? change : CARRIED.key)}</span></span>
      ${this.legend}
    </div>`;
  }

  /** Shows a hint on possible actions. @param {string | undefined} hint */
  explain(hint) {
    this.said.hint = hint ?? "";
    this.draw();
  }

  /** @param {Changed} changed the last change */
  tellChange({ cause = "", effect = "", train = "" }) {
    this.said.train = train;
    this.said.change = [effect, cause].filter(Boolean).join(" ");
    this.draw();
  }

  /** @param {string} sentence on the effect of dropout; empty without dropout */
  tellDropped(sentence) {
    this.said.dropped = sentence;
    this.draw();
  }

  /** @param {boolean} isElsewhere whether the picture shows the sentence on the last change */
  leaveChange(isElsewhere) {
    if (this.said.isElsewhere === isElsewhere) return;
    this.said.isElsewhere = isElsewhere;
    this.draw();
  }

  /** @param {FollowedLane | null} lane */
  follow(lane) {
    this.lane = lane;
    this.draw();
  }

  /** @param {number[]} heads whose links are marked because they carried the last change */
  explainMarks(heads) {
    if (this.carriers.join() === heads.join()) return;
    this.carriers = heads;
    this.draw();
  }

  /** Shows how many numbers the selected number affects. @param {string} sentence empty for none */
  reaches(sentence) {
    if (sentence === this.reached) return;
    this.reached = sentence;
    if (sentence) this.say(sentence);
    this.draw();
  }

  /** Announces a text to screen readers. @param {string} text */
  say(text) {
    this.live.textContent = text;
  }

  /**
   * Returns the cell under the pointer, else the keyboard's cell, else the selected cell.
   * @returns {Place | null}
   */
  subject() {
    const { pointed, focused, selection } = this.cursors;
    if (pointed) return { matrix: pointed.view.matrix, i: pointed.i, j: pointed.j };
    // After a click the grid has the focus, too, although the keyboard is not in use.
    if (focused?.grid.matches(":focus-visible"))
      return { matrix: focused.matrix, ...focused.active };
    return selection && this.store.cell(selection.path, selection.i, selection.j);
  }

  refresh() {
    const place = this.subject();
    const isKnown = place !== null && place.i < place.matrix.rows && place.j < place.matrix.cols;
    this.isEmpty = !isKnown;
    const { selection, pointed } = this.cursors;
    this.isAtCursor = isKnown && !pointed && selection !== null && !this.isSelected(place);
    this.compares = this.appearance.settings.plane !== "value";
    if (isKnown) this.cell = this.read(place);
    this.draw();
  }

  /** @param {Place} place */
  isSelected({ matrix, i, j }) {
    const [path, top, left] = matrix.entry.origin ?? [matrix.path, 0, 0];
    return this.cursors.isSelected({ path, i: top + i, j: left + j });
  }

  /** Returns the texts of a cell; `more` is never cut off. @param {Place} place */
  read({ matrix, i, j }) {
    const { entry } = matrix;
    const at = i * matrix.cols + j;
    const value = matrix.values?.[at];
    if (this.symbol.dataset.tex !== entry.tex) typeset(this.symbol, entry.tex);
    const cell = {
      path: entry.products ? matrix.path : (entry.origin?.[0] ?? matrix.path),
      part: entry.place ?? "",
      where: entry.block ? dotWords(entry, i, j) : cellWords(entry, i, j),
    };
    if (value === undefined) return { ...cell, value: "not computed yet", more: [] };
    if (matrix.flags?.[at] === COVERED)
      return { ...cell, value: COVERED_SIGN, more: [COVERED_WORDS] };
    const [short, inFull] = this.numberWords(value, matrix.most(at));
    const second = this.appearance.hasSecond ? matrix.gradients?.[at] : undefined;
    const isLargest = entry.block && entry.block[0] * entry.block[1] > 1;
    const marks = flagWords(matrix.flags?.[at] ?? 0);
    const more = [
      second === undefined ? inFull : `· value ${decimalText(value)}`,
      isLargest ? " · the number of largest magnitude there" : "",
      marks && ` · ${marks}`,
      this.appearance.settings.plane === "change" && !matrix.baseline
        ? " · no number here before"
        : changeWords(value, matrix.baseline?.[at]),
    ];
    return {
      ...cell,
      value: second === undefined ? short : this.appearance.secondText(second),
      more: more.filter(Boolean),
    };
  }

  /**
   * Returns a number in decimals only, if these are chosen and short, or else in both notations.
   * @param {number} value @param {number} most its largest magnitude while it moves
   * @returns {[short: string, inFull: string]}
   */
  numberWords(value, most) {
    const decimal = this.moves() ? movingText(value, most) : decimalText(value);
    if (!most || !Number.isFinite(value)) return [decimal, ""];
    if (this.appearance.inDecimals && isHandy(most)) return [decimal, ""];
    return [scientificText(value, 3), `= ${decimal}`];
  }
}

/** @param {number} value @param {number | undefined} before the value in the baseline */
function changeWords(value, before) {
  if (before === undefined) return "";
  const change = value === before ? 0 : Number((value - before).toPrecision(6));
  return ` · before ${decimalText(Number(before.toPrecision(4)))}, change ${decimalText(change)}`;
}
