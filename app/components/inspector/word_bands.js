/**
 * The words that change with the selected value, a band for each: between which values which word
 * is written. Computed in Python. Crossing a border says so, and the next borders on both sides can
 * be pressed.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";
import { allBorders, bordersNear, crossed, nextTo, stretchAt } from "./word_borders.js";

/**
 * @import {Border} from "./word_borders.js"
 * @import {Words} from "./types.js"
 */

const MOST = 4; // bands
const HUES = 6; // in theme.py
const LETTER = 6.6; // CSS px, about
const APART = 44; // CSS px between the numbers of two borders

export class WordBands {
  /** @param {(value: number) => void} set */
  constructor(set) {
    this.set = set;
    this.words = /** @type {Words | null} */ (null);
    this.axis = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.row = -1; // of the curve
    this.last = /** @type {number | undefined} */ (undefined);
    this.bands = make("div", { class: "bands" });
    this.numbers = make("div", { class: "band-numbers", "aria-hidden": "true" });
    this.said = make("p", { class: "small crossing", "aria-live": "polite" });
    this.sides = [-1, 1].map((side) => ({
      side,
      border: /** @type {Border | undefined} */ (undefined),
      button: make("button", { type: "button", class: "button border" }),
    }));
    for (const each of this.sides)
      each.button.addEventListener("click", () => each.border && this.go(each.border, each.side));
    this.summary = make("summary");
    this.list = make("ul", { class: "borders" });
    this.all = make("details", { class: "all-borders" }, this.summary, this.list);
    this.next = make("div", { class: "next-borders" }, ...this.sides.map(({ button }) => button));
    this.node = make("div", { class: "words" }, this.bands, this.numbers);
    this.after = make("div", { class: "word-borders" }, this.next, this.all);
    new ResizeObserver(() => this.draw()).observe(this.bands);
    this.take({});
  }

  /** @param {Words | {coming?: boolean}} words */
  take(words) {
    this.words = "rows" in words ? words : null;
    const isComing = "coming" in words && Boolean(words.coming);
    this.node.hidden = this.after.hidden = this.said.hidden = !this.words && !isComing;
    this.node.classList.toggle("coming", isComing);
    setText(this.said, "");
    this.last = undefined;
    this.draw();
    const all = this.words ? allBorders(this.words.rows) : [];
    this.all.hidden = all.length < 3;
    setText(this.summary, `All ${all.length} borders`);
    this.list.replaceChildren(...all.map((border) => make("li", {}, this.button(border))));
  }

  /** The ends of the slider above. @param {number} low @param {number} high */
  along(low, high) {
    if (low === this.axis[0] && high === this.axis[1]) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.draw();
  }

  /** @param {number} row of the curve, whose word comes with it */
  about(row) {
    if (row === this.row) return;
    this.row = row;
    this.draw();
  }

  /** @param {number} value */
  share(value) {
    const [low, high] = this.axis;
    return `${(100 * (value - low)) / (high - low)}%`;
  }

  /** The bands that are shown: of the curve's word, and of the first others. */
  get shown() {
    const { rows } = this.words ?? { rows: [] };
    const own = rows.filter(({ row }) => row === this.row);
    const others = rows.filter(({ row }) => row !== this.row).slice(0, MOST - own.length);
    return rows.filter((each) => own.includes(each) || others.includes(each));
  }

  draw() {
    const { words, shown } = this;
    const width = this.bands.clientWidth;
    if (!words) {
      this.bands.replaceChildren();
      this.numbers.replaceChildren();
      return;
    }
    const all = words.rows.flatMap(({ stretches }) => stretches.map(([, , word]) => word));
    const kinds = [...new Set(all)];
    const bands = shown.map(({ row, name, stretches }) => {
      const said = stretches.map(
        ([low, high, word]) => `${word || "nothing"} from ${short(low)} to ${short(high)}`,
      );
      return make(
        "div",
        { class: "band", role: "img", "aria-label": `${name}: ${said.join(", ")}` },
        ...stretches.map(([low, high, word]) => {
          const [left, right] = [low, high].map((value) => this.share(value));
          const span = ((high - low) / (this.axis[1] - this.axis[0])) * width;
          const stretch = make("span", {
            class: "stretch",
            title: `${name}: ${word || "nothing"} from ${short(low)} to ${short(high)}`,
          });
          stretch.style.left = left;
          stretch.style.width = `calc(${right} - ${left})`;
          stretch.style.setProperty("--hue", `var(--word-${(kinds.indexOf(word) % HUES) + 1})`);
          if (span >= word.length * LETTER + 4) setText(stretch, word || "–");
          stretch.dataset.row = String(row);
          return stretch;
        }),
      );
    });
    const rest = words.rows.length - shown.length;
    const more = rest > 0 ? `and ${rest} more ${rest > 1 ? "words" : "word"} of the sentence` : "";
    const none = `From ${short(words.low)} to ${short(words.high)} no word changes.`;
    this.bands.replaceChildren(
      ...bands,
      make("p", { class: "band-note" }, words.rows.length ? more : none),
    );
    const marks = bordersNear(shown, APART * ((this.axis[1] - this.axis[0]) / Math.max(1, width)));
    this.numbers.replaceChildren(
      ...marks.map((at) => {
        const number = make("span", {}, short(at));
        number.style.left = this.share(at);
        return number;
      }),
    );
    this.numbers.hidden = !marks.length;
    if (this.last !== undefined) this.mark(this.last);
  }

  /** A screen reader cannot speak every border that a swing crosses. @param {boolean} on */
  swinging(on) {
    setAttribute(this.said, "aria-live", on ? "off" : "polite");
  }

  /** @param {number} value now; a border between this and the one before is said */
  show(value) {
    const before = this.last;
    this.last = value;
    const { words } = this;
    if (!words || !Number.isFinite(value)) return;
    if (before !== undefined && before !== value) {
      const border = crossed(words.rows, before, value);
      if (border) setText(this.said, sentence(border, value > before ? 1 : -1));
    }
    this.mark(value);
  }

  /** @param {number} value now */
  mark(value) {
    const { words } = this;
    if (!words) return;
    const bands = [...this.bands.querySelectorAll(".band")];
    this.shown.forEach(({ stretches }, k) => {
      const at = stretchAt(stretches, value);
      [...bands[k].children].forEach((node, n) => {
        node.classList.toggle("now", n === at);
      });
    });
    for (const each of this.sides) {
      each.border = nextTo(words.rows, value, each.side);
      const { button, border, side } = each;
      setText(
        button,
        border ? `${side < 0 ? "‹ " : ""}${sentence(border, side)}${side > 0 ? " ›" : ""}` : "",
      );
      button.style.visibility = border ? "" : "hidden";
      setAttribute(button, "title", border ? "Set the value just past this border" : "");
    }
    this.next.hidden = !words.rows.length;
  }

  /** @param {Border} border */
  button(border) {
    const onclick = () => this.go(border, 1);
    return make("button", { type: "button", onclick }, sentence(border, 1));
  }

  /** @param {Border} border @param {number} side to which of its sides */
  go({ at }, side) {
    const { low, high } = /** @type {Words} */ (this.words);
    // One in the last of the three figures that a border is known to.
    const unit = at ? 10 ** (Math.floor(Math.log10(Math.abs(at))) - 2) : (high - low) * 1e-4;
    this.set(Number((at + side * unit).toPrecision(9)));
  }
}

/** @param {Border} border @param {number} side in which direction it is crossed */
function sentence({ at, before, after, more }, side) {
  const [from, to] = (side > 0 ? [before, after] : [after, before]).map(
    (word) => word || "nothing",
  );
  return `${from} → ${to}${more ? ` (+${more})` : ""} at ${short(at)}`;
}

/** @param {number} v */
const short = (v) => decimalText(Number(v.toPrecision(3)));
