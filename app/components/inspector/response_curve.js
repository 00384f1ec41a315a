/**
 * A probability as a function of the selected value, computed in Python. A point marks the current
 * value and moves along the curve. Pointing reads the curve, and a click sets the value. It stands
 * under the slider and has its axis; a sentence over it says which word it is of, and the words
 * that change are under it.
 */

import { make, makeSvg, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";
import { roundTo } from "./round_numbers.js";
import { WordBands } from "./word_bands.js";

/** @import {Curve, Words} from "./types.js" */

/** CSS px. Half of the slider's thumb at both sides, so that the curve is under the slider. */
const PLOT = { height: 130, side: 11, top: 14, bottom: 20 };
const WIDTH = 284; // until it is laid out
const UP = PLOT.height - PLOT.top - PLOT.bottom;
const LEAST_TOP = 0.05; // least top of the vertical axis; a small response looks small
const PROBABILITIES = "output.probabilities";
const FLAT = 5e-5; // differences below the precision of the numbers sent

export class ResponseCurve {
  /** @param {(value: number) => void} set @param {(row: number, column: number) => void} watch */
  constructor(set, watch) {
    this.set = set;
    this.curve = /** @type {Curve | null} */ (null);
    this.isComing = false;
    this.top = 1;
    this.width = WIDTH;
    this.axis = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.last = /** @type {number | undefined} */ (undefined);
    this.pointed = /** @type {number | null} */ (null);
    const base = PLOT.height - PLOT.bottom;
    this.axes = makeSvg("g", { class: "curve-axes" });
    this.line = makeSvg("path", { class: "curve-line" });
    this.stem = makeSvg("line", { class: "curve-stem", y1: PLOT.top, y2: base });
    this.dot = makeSvg("circle", { class: "curve-dot", r: 5 });
    this.hair = makeSvg("line", { class: "curve-hair", y1: PLOT.top, y2: base });
    this.marks = [0, 1].map(() => makeSvg("circle", { class: "curve-mark", r: 4 }));
    this.borders = makeSvg("g", { class: "curve-borders" });
    this.plot = makeSvg("svg", { class: "curve", role: "img", height: PLOT.height });
    this.plot.append(this.borders, this.axes, this.hair, this.stem, this.line);
    this.plot.append(...this.marks, this.dot);
    this.bands = new WordBands(set);
    new ResizeObserver(() => this.resized()).observe(this.plot);
    this.plot.addEventListener("pointermove", (event) => this.point(this.valueAt(event)));
    this.plot.addEventListener("pointerleave", () => this.point(null));
    this.plot.addEventListener("click", (event) => this.clicked(event));
    const chosen = () => watch(this.row.selectedIndex, Number(this.word.value));
    this.word = make("select", {
      id: "curve-word",
      "aria-label": "probability of",
      onchange: chosen,
    });
    const where = "where in the sentence";
    this.row = make("select", { id: "curve-row", "aria-label": where, onchange: chosen });
    this.reading = make("p", { class: "small reading" });
    this.ends = ["max", "min"].map((name, k) => ({
      name,
      at: 0,
      button: make("button", {
        type: "button",
        class: "button end",
        title: "Set the value there",
        onclick: () => this.set(this.ends[k].at),
      }),
    }));
    this.choice = make(
      "div",
      { class: "curve-choice" },
      make("span", {}, "of"),
      this.word,
      this.row,
    );
    this.node = make(
      "section",
      { class: "response" },
      make("h2", {}, "Probability if this value were …"),
      make("p", { class: "note soon" }, "The curve of so large a model takes a moment."),
      this.choice,
      this.plot,
      this.reading,
      this.bands.node,
      this.bands.said,
    );
    this.more = make(
      "div",
      { class: "response-more" },
      this.bands.after,
      make("div", { class: "curve-ends" }, ...this.ends.map(({ button }) => button)),
    );
    this.point(null);
  }

  /** Whether a curve is shown, or is being computed. */
  get isThere() {
    return this.curve !== null || this.isComing;
  }

  /** @param {boolean} isComing whether it is being computed, so that its space is kept */
  takeNone(isComing) {
    this.curve = null;
    this.bands.about(-1);
    this.point(null);
    this.setComing(isComing);
  }

  /** @param {boolean} isComing */
  setComing(isComing) {
    this.isComing = isComing;
    for (const node of [this.node, this.more]) {
      node.hidden = !this.isThere;
      node.classList.toggle("coming", isComing);
    }
    setAttribute(this.node, "aria-busy", String(isComing));
  }

  /** The words that change with the value. @param {Words | {coming?: boolean}} words */
  takeWords(words) {
    this.bands.take(words);
    if (this.last !== undefined) this.bands.goesTo(this.last);
    this.drawBorders();
  }

  /** The ends of the slider above. @param {number} low @param {number} high */
  along(low, high) {
    if (low === this.axis[0] && high === this.axis[1]) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.bands.along(low, high);
    if (this.curve) this.take(this.curve);
  }

  resized() {
    const { width } = this.plot.getBoundingClientRect();
    if (!width || width === this.width) return;
    this.width = width;
    if (this.curve) this.take(this.curve);
  }

  /** Where the word that the curve is of becomes another. */
  drawBorders() {
    const row = this.bands.words?.rows.find((each) => each.row === this.curve?.row);
    const base = PLOT.height - PLOT.bottom;
    const lines = (row?.stretches ?? []).slice(1).map(([at]) => {
      const x = this.x(at);
      return makeSvg("line", { x1: x, x2: x, y1: PLOT.top, y2: base });
    });
    this.borders.replaceChildren(...lines);
  }

  /** @param {Curve} curve */
  take(curve) {
    this.curve = curve;
    setAttribute(this.plot, "viewBox", `0 0 ${this.width} ${PLOT.height}`);
    this.bands.about(curve.row);
    this.setComing(false);
    const { low, high, probabilities, row, column, words, rows } = curve;
    fill(this.word, words, column);
    fill(
      this.row,
      rows.map((label, k) => [k, label]),
      row,
    );
    const [least, most] = [Math.min(...probabilities), Math.max(...probabilities)];
    this.top = roundTop(Math.max(LEAST_TOP, most));
    const points = probabilities.map((p, k) => `${this.x(settingOf(curve, k))} ${this.y(p)}`);
    this.line.setAttribute("d", `M${points.join("L")}`);
    this.axes.replaceChildren(...this.ticks());
    this.drawBorders();
    this.markEnds(curve, [most, least]);
    const name = words.find(([k]) => k === column)?.[1] || "∅";
    setAttribute(
      this.plot,
      "aria-label",
      `Probability of ${name} ${rows[row]}, ` +
        `from ${least.toFixed(3)} to ${most.toFixed(3)}, as the value goes ` +
        `from ${low} to ${high}, computed at ${probabilities.length} values`,
    );
    this.point(null);
    this.show(this.last);
  }

  /** The lines of the probabilities, and which end is which; the slider above has the values. */
  ticks() {
    const below = PLOT.height - 4;
    return [
      ...[0, this.top / 2, this.top].flatMap((p) => [
        makeSvg("line", { x1: 0, x2: this.width, y1: this.y(p), y2: this.y(p) }),
        label(decimalText(p).replace(/^0\./, "."), 0, this.y(p) - 3),
      ]),
      ...["← lower", "this value", "higher →"].map((text, k) => {
        const end = label(text, (k * this.width) / 2, below);
        end.setAttribute("text-anchor", ["start", "middle", "end"][k]);
        end.classList.add("curve-words");
        return end;
      }),
    ];
  }

  /**
   * Marks the maximum and the minimum, and adds a button for each.
   * @param {Curve} curve @param {number[]} ends
   */
  markEnds(curve, ends) {
    const isFlat = ends[0] - ends[1] < FLAT;
    ends.forEach((p, k) => {
      const at = settingOf(curve, curve.probabilities.indexOf(p));
      const mark = this.marks[k];
      mark.style.display = isFlat ? "none" : "";
      mark.setAttribute("cx", String(this.x(at)));
      mark.setAttribute("cy", String(this.y(p)));
      const end = this.ends[k];
      end.at = Number(at.toPrecision(4));
      end.button.style.visibility = isFlat ? "hidden" : "";
      setText(end.button, `${end.name} ${p.toFixed(3)}\nat ${short(end.at)}`);
    });
  }

  /** @param {number} value @returns {number} */
  x(value) {
    const [low, high] = this.axis;
    return PLOT.side + ((this.width - 2 * PLOT.side) * (value - low)) / (high - low);
  }

  /** @param {number} p */
  y(p) {
    return PLOT.height - PLOT.bottom - (UP * p) / this.top;
  }

  /** Interpolates the probability at a value. @param {number} value */
  probability(value) {
    const { low, high, probabilities } = /** @type {Curve} */ (this.curve);
    const most = probabilities.length - 1;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low))) * most;
    const before = Math.floor(share);
    const after = Math.min(before + 1, most);
    return (
      probabilities[before] + (probabilities[after] - probabilities[before]) * (share - before)
    );
  }

  /** @param {number | undefined} value the current value */
  show(value) {
    this.last = value;
    if (value !== undefined) this.bands.goesTo(value);
    if (!this.curve || value === undefined || !Number.isFinite(value)) return;
    const { low, high } = this.curve;
    const at = Math.min(high, Math.max(low, value));
    const p = this.probabilityNow() ?? this.probability(at);
    place(this.dot, this.x(at), this.y(p));
    place(this.stem, this.x(at));
    if (this.pointed === null) this.read("now", value, p);
  }

  /** What the page shows of the answer, which is exact, where that is of the numbers of now. */
  probabilityNow() {
    const { row, column } = /** @type {Curve} */ (this.curve);
    return window.tinkerformer?.value(PROBABILITIES, row, column);
  }

  /** Reads the curve at a value, or at the current one if null. @param {number | null} value */
  point(value) {
    this.pointed = value;
    this.hair.style.display = value === null ? "none" : "";
    if (value !== null) {
      place(this.hair, this.x(value));
      this.read("if it were", value, this.probability(value));
    } else this.show(this.last);
  }

  /** @param {string} what @param {number} value @param {number} p */
  read(what, value, p) {
    setText(this.reading, `${what} ${short(value)}: p = ${p.toFixed(3)}`);
  }

  /** @param {MouseEvent} event @returns {number | null} */
  valueAt(event) {
    if (!this.curve) return null;
    const box = this.plot.getBoundingClientRect();
    const { low, high } = this.curve;
    const [least, most] = this.axis;
    const pixel = (most - least) / (box.width - 2 * PLOT.side);
    const value = least + pixel * (event.clientX - box.left - PLOT.side);
    return roundTo(Math.min(high, Math.max(low, value)), pixel);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const value = this.valueAt(event);
    if (value !== null) this.set(value);
  }
}

/** @param {Curve} curve @param {number} k */
const settingOf = ({ low, high, probabilities }, k) =>
  low + ((high - low) * k) / (probabilities.length - 1);

/** Rounds up to an axis maximum whose half also has one or two digits. @param {number} most */
const roundTop = (most) => [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8].find((top) => most <= top) ?? 1;

/** @param {number} v */
const short = (v) => decimalText(Number(v.toPrecision(3)));

/** @param {string} text @param {number} x @param {number} y */
const label = (text, x, y) => makeSvg("text", { class: "curve-text", x, y }, text);

/** @param {SVGElement} mark @param {number} x @param {number} [y] */
function place(mark, x, y) {
  if (y === undefined) {
    mark.setAttribute("x1", String(x));
    mark.setAttribute("x2", String(x));
  } else {
    mark.setAttribute("cx", String(x));
    mark.setAttribute("cy", String(y));
  }
}

/** @param {HTMLSelectElement} select @param {[number, string][]} choices @param {number} chosen */
function fill(select, choices, chosen) {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.replaceChildren(
      ...choices.map(([value, text]) => make("option", { value }, text || "∅")),
    );
    select.dataset.key = key;
  }
  select.value = String(chosen);
}
