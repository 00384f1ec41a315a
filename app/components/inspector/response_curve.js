/**
 * A probability against the selected value, from the server; the value itself is a point that moves
 * along it.
 */

import { make, makeSvg, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";

/** @import {Curve} from "./types.js" */

/** In units of the drawing. */
const PLOT = { width: 240, height: 96, left: 4, right: 4, top: 8, bottom: 18 };

export class ResponseCurve {
  /** @param {(value: number) => void} set @param {(row: number, column: number) => void} watch */
  constructor(set, watch) {
    this.set = set;
    this.curve = /** @type {Curve | null} */ (null);
    this.scale = 1;
    this.last = /** @type {number | undefined} */ (undefined);
    const { width, height } = PLOT;
    this.line = makeSvg("path", { class: "curve-line" });
    this.stem = makeSvg("line", { class: "curve-stem", y1: PLOT.top, y2: height - PLOT.bottom });
    this.dot = makeSvg("circle", { class: "curve-dot", r: 5 });
    this.low = makeSvg("text", { class: "curve-text", x: PLOT.left, y: height - 4 });
    this.high = makeSvg("text", {
      class: "curve-text",
      x: width - PLOT.right,
      y: height - 4,
      "text-anchor": "end",
    });
    this.most = makeSvg("text", { class: "curve-text", x: PLOT.left, y: PLOT.top + 4 });
    this.plot = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img" });
    this.plot.append(
      makeSvg("line", {
        class: "curve-axis",
        x1: PLOT.left,
        x2: width - PLOT.right,
        y1: height - PLOT.bottom,
        y2: height - PLOT.bottom,
      }),
      this.stem,
      this.line,
      this.dot,
      this.low,
      this.high,
      this.most,
    );
    this.plot.addEventListener("click", (event) => this.clicked(event));
    this.word = make("select", {
      id: "curve-word",
      onchange: () => watch(this.after.selectedIndex, Number(this.word.value)),
    });
    this.after = make("select", {
      id: "curve-row",
      onchange: () => watch(this.after.selectedIndex, Number(this.word.value)),
    });
    this.hint = make("p", { class: "small" });
    this.node = make(
      "section",
      { class: "response" },
      make("h2", {}, "If this value were …"),
      make(
        "div",
        { class: "curve-choice" },
        make("label", { for: "curve-word" }, "p of"),
        this.word,
        make("label", { for: "curve-row" }, "after"),
        this.after,
      ),
      this.plot,
      this.hint,
    );
  }

  /** @param {Curve | null} curve */
  take(curve) {
    this.curve = curve;
    this.node.hidden = !curve;
    if (!curve) return;
    const { low, high, probabilities, row, column, words, after } = curve;
    fill(this.word, words, column);
    fill(
      this.after,
      after.map((label, k) => [k, label]),
      row,
    );
    setText(
      this.hint,
      `Computed at ${probabilities.length} values. Click the curve to set the value.`,
    );
    // From zero, so that a small answer looks small.
    this.scale = 1.25 * Math.max(0.05, ...probabilities);
    const steps = probabilities.length - 1;
    const points = probabilities.map((p, k) => {
      const x = placeOf(low + ((high - low) * k) / steps, curve);
      return `${x.toFixed(1)} ${this.y(p).toFixed(1)}`;
    });
    this.line.setAttribute("d", `M${points.join("L")}`);
    setText(this.low, decimalText(low));
    setText(this.high, `+${decimalText(high)}`);
    setText(this.most, `up to ${Number(Math.max(...probabilities).toPrecision(2))}`);
    const name = words.find(([k]) => k === column)?.[1] || "∅";
    setAttribute(
      this.plot,
      "aria-label",
      `Probability of ${name}, from ${Math.min(...probabilities).toFixed(3)} to ` +
        `${Math.max(...probabilities).toFixed(3)}, as the value goes from ${low} to ${high}`,
    );
    this.show(this.last);
  }

  /** @param {number} p */
  y(p) {
    return PLOT.height - PLOT.bottom - ((PLOT.height - PLOT.top - PLOT.bottom) * p) / this.scale;
  }

  /** @param {number | undefined} value now */
  show(value) {
    this.last = value;
    if (!this.curve || value === undefined || !Number.isFinite(value)) return;
    const { low, high, probabilities } = this.curve;
    const most = probabilities.length - 1;
    const share = Math.min(1, Math.max(0, (value - low) / (high - low))) * most;
    const before = Math.floor(share);
    const after = Math.min(before + 1, most);
    const p =
      probabilities[before] + (probabilities[after] - probabilities[before]) * (share - before);
    const x = String(placeOf(Math.min(high, Math.max(low, value)), this.curve));
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", String(this.y(p)));
    this.stem.setAttribute("x1", x);
    this.stem.setAttribute("x2", x);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (!this.curve) return;
    const box = this.plot.getBoundingClientRect();
    const { low, high } = this.curve;
    const across = ((event.clientX - box.left) / box.width) * PLOT.width;
    const value =
      low + ((high - low) * (across - PLOT.left)) / (PLOT.width - PLOT.left - PLOT.right);
    this.set(Math.round(Math.min(high, Math.max(low, value)) * 100) / 100);
  }
}

/** Where a value stands, from left to right. @param {number} value @param {Curve} curve */
const placeOf = (value, { low, high }) =>
  PLOT.left + ((PLOT.width - PLOT.left - PLOT.right) * (value - low)) / (high - low);

/** @param {HTMLSelectElement} select @param {[number, string][]} choices @param {number} chosen */
function fill(select, choices, chosen) {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.replaceChildren(
      ...choices.map(([value, label]) => make("option", { value }, label || "∅")),
    );
    select.dataset.key = key;
  }
  select.value = String(chosen);
}
