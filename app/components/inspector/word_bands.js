/**
 * The words that change with the selected value, a band for each: between which values which word
 * is written. Computed in Python. Crossing a border says so, and every border can be pressed, which
 * sets the value just past it.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { decimalText } from "../shared/number_format.js";
import {
  allBorders,
  bordersNear,
  crossed,
  effectText,
  inOrder,
  justPast,
  nextTo,
  stretchAt,
  wordPast,
} from "./word_borders.js";

/**
 * @import {Border} from "./word_borders.js"
 * @import {WordRow, Words} from "./types.js"
 */

const FIRST = 3; // bands that are shown at once
const HUES = 6; // in theme.py
const LETTER = 6.6; // CSS px, about
const APART = 46; // CSS px between the numbers of two borders
const SAID_FOR = 6000; // ms that a crossed border is spoken of
const SAME = 1e-6; // the largest relative error of a number that was set

export class WordBands {
  /** @param {(value: number) => void} set */
  constructor(set) {
    this.set = set;
    this.words = /** @type {Words | null} */ (null);
    this.rows = /** @type {WordRow[]} */ ([]); // in the order in which they are shown
    this.axis = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.row = -1; // of the curve
    this.isWhole = false; // whether all bands are shown
    this.last = /** @type {number | undefined} */ (undefined);
    /** The value that the reader has set last, until it is shown. */
    this.goal = Number.NaN;
    this.swings = false;
    this.timer = 0;
    this.bands = make("div", { class: "bands" });
    this.heading = make("p", { class: "bands-heading" }, "where a word changes");
    this.numbers = make("div", {
      class: "band-numbers",
      role: "group",
      "aria-label": "Where words change",
    });
    this.rest = make("button", {
      type: "button",
      class: "rest",
      onclick: () => this.showAll(!this.isWhole),
    });
    this.said = make("p", { class: "small kept crossing", "aria-live": "polite" });
    this.sides = [-1, 1].map((side) => ({
      side,
      border: /** @type {Border | undefined} */ (undefined),
      button: make("button", {
        type: "button",
        class: "button border",
        style: "visibility: hidden", // until there is a border on its side
      }),
    }));
    for (const each of this.sides)
      each.button.addEventListener("click", () => each.border && this.go(each.border, each.side));
    this.summary = make("summary");
    this.list = make("ul", { class: "borders" });
    this.all = make("details", { class: "all-borders" }, this.summary, this.list);
    this.next = make("div", { class: "next-borders" }, ...this.sides.map(({ button }) => button));
    this.node = make("div", { class: "words" }, this.heading, this.numbers, this.bands, this.rest);
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
    if (!this.words) this.isWhole = false;
    this.hush();
    this.order();
    this.draw();
    const all = allBorders(this.rows);
    this.all.hidden = all.length < 3;
    setText(this.summary, `All ${all.length} borders`);
    this.list.replaceChildren(...all.map((border) => make("li", {}, this.listed(border))));
  }

  /** Once for a number: bands that changed places while it moves could not be read. */
  order() {
    this.rows = inOrder(this.words?.rows ?? [], this.row, this.last ?? 0);
  }

  /** The ends of the slider above. @param {number} low @param {number} high */
  along(low, high) {
    if (low === this.axis[0] && high === this.axis[1]) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.draw();
  }

  /** @param {number} row of the curve, whose word comes first */
  about(row) {
    if (row === this.row) return;
    this.row = row;
    this.order();
    this.draw();
  }

  /** @param {boolean} isWhole */
  showAll(isWhole) {
    this.isWhole = isWhole;
    this.draw();
  }

  /** @param {number} value */
  share(value) {
    const [low, high] = this.axis;
    return `${(100 * (value - low)) / (high - low)}%`;
  }

  get shown() {
    return this.isWhole ? this.rows : this.rows.slice(0, FIRST);
  }

  draw() {
    const { words, shown } = this;
    const width = this.bands.clientWidth;
    if (!words) {
      this.bands.replaceChildren();
      this.numbers.replaceChildren();
      this.rest.hidden = true;
      return;
    }
    const all = words.rows.flatMap(({ stretches }) => stretches.map(([, , word]) => word));
    const kinds = [...new Set(all)];
    const bands = shown.map(({ name, stretches }) => {
      const said = stretches.map(
        ([low, high, word]) => `${this.named(word)} from ${short(low)} to ${short(high)}`,
      );
      const label = make("p", { class: "band-name" }, name);
      const tell = (/** @type {string} */ what) => setText(label, what ? `${name}: ${what}` : name);
      const band = make(
        "div",
        {
          class: "band",
          role: "img",
          tabindex: 0,
          "aria-label": `${name}: ${said.join(", ")}`,
          onfocus: () => tell(stretches.map(([, , word]) => this.inBrief(word)).join(" · ")),
          onblur: () => tell(""),
          onpointerleave: () => tell(""),
        },
        ...stretches.map(([low, high, word], k) => {
          const [left, right] = [low, high].map((value) => this.share(value));
          const span = ((high - low) / (this.axis[1] - this.axis[0])) * width;
          const onpointerenter = () => tell(said[k]);
          const stretch = make("span", { class: "stretch", onpointerenter });
          stretch.style.left = left;
          stretch.style.width = `calc(${right} - ${left})`;
          stretch.style.setProperty("--hue", `var(--word-${(kinds.indexOf(word) % HUES) + 1})`);
          const text = this.inBrief(word);
          stretch.classList.toggle("ended", text !== word);
          if (span >= text.length * LETTER + 4) setText(stretch, text);
          return stretch;
        }),
      );
      return make("div", { class: "band-line" }, label, band);
    });
    const span = `From ${short(words.low)} to ${short(words.high)} no word changes.`;
    const note = words.rows.length ? "" : words.unread || span;
    const notes = [words.dropout ? WITHOUT_DROPOUT : "", note].filter(Boolean);
    this.bands.replaceChildren(
      ...notes.map((text) => make("p", { class: "band-note" }, text)),
      ...bands,
    );
    const more = this.rows.length - FIRST;
    this.rest.hidden = more <= 0;
    setAttribute(this.rest, "aria-expanded", String(this.isWhole));
    setText(
      this.rest,
      this.isWhole ? "Fewer words" : `${more} more ${more > 1 ? "words change" : "word changes"}`,
    );
    const apart = APART * ((this.axis[1] - this.axis[0]) / Math.max(1, width));
    const marks = bordersNear(shown, apart, this.last ?? 0);
    this.numbers.replaceChildren(...marks.map((border) => this.number(border)));
    this.numbers.hidden = this.heading.hidden = !marks.length;
    if (this.last !== undefined) this.mark(this.last);
  }

  /** A screen reader cannot speak every border that a swing crosses. @param {boolean} on */
  swinging(on) {
    this.swings = on;
    setAttribute(this.said, "aria-live", on ? "off" : "polite");
    this.hush();
  }

  /** @param {number} value that the reader sets; what is undone crosses nothing */
  sets(value) {
    this.goal = value;
  }

  /** @param {number} value now; a border between this and the one before is said */
  show(value) {
    const before = this.last;
    this.last = value;
    const { words } = this;
    if (!words || !Number.isFinite(value)) return;
    if (before !== undefined && before !== value) this.moved(before, value);
    this.mark(value);
  }

  /** @param {number} before @param {number} value */
  moved(before, value) {
    const isSet = Math.abs(value - this.goal) <= SAME * Math.max(1, Math.abs(value));
    if (isSet) this.goal = Number.NaN;
    if (!isSet && !this.swings) {
      this.hush();
      return;
    }
    const border = crossed(this.rows, before, value);
    if (!border) return;
    const who = this.swings ? "It" : "You";
    const effect = this.effect(border, value > before ? 1 : -1);
    setText(this.said, `${who} just crossed ${short(border.at)}: ${effect}${others(border)}`);
    this.said.classList.remove("gone");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.said.classList.add("gone"), SAID_FOR);
  }

  /** What was crossed is no longer news. */
  hush() {
    clearTimeout(this.timer);
    setText(this.said, "");
  }

  /** @param {number} value now */
  mark(value) {
    const { words } = this;
    if (!words) return;
    const bands = [...this.bands.querySelectorAll(".band")];
    this.shown.forEach(({ stretches }, k) => {
      const at = stretchAt(stretches, value);
      [...(bands[k]?.children ?? [])].forEach((node, n) => {
        node.classList.toggle("now", n === at);
      });
    });
    for (const each of this.sides) {
      each.border = nextTo(this.rows, value, each.side);
      this.fill(each);
    }
    this.next.hidden = !words.rows.length;
  }

  /**
   * The button of the next border on one side.
   * @param {{button: HTMLButtonElement, border: Border | undefined, side: number}} of
   */
  fill({ button, border, side }) {
    button.style.visibility = border ? "" : "hidden";
    const key = border ? this.change(border, side) : "";
    if (button.dataset.key === key) return;
    button.dataset.key = key;
    setAttribute(button, "title", border ? PAST : "");
    if (!border) {
      button.replaceChildren();
      return;
    }
    const sign = (/** @type {string} */ text) => make("span", { "aria-hidden": "true" }, text);
    const text = make("span", {}, key, make("small", {}, others(border)));
    button.replaceChildren(side < 0 ? sign("‹") : text, side < 0 ? text : sign("›"));
  }

  /** The value of a border over the bands. @param {Border} border */
  number(border) {
    const number = make(
      "button",
      {
        type: "button",
        title: PAST,
        "aria-label": `${this.change(border, 1)}${others(border)}`,
        onclick: () => this.go(border, this.sideOf(border)),
      },
      short(border.at),
    );
    number.style.left = this.share(border.at);
    return number;
  }

  /** @param {Border} border */
  listed(border) {
    const onclick = () => this.go(border, this.sideOf(border));
    return make(
      "button",
      { type: "button", title: PAST, onclick },
      `${this.change(border, 1)}${others(border)}`,
    );
  }

  /** What stands in a band. @param {string} word */
  inBrief(word) {
    if (!word) return "no word";
    return word === this.words?.end ? "stops" : word;
  }

  /** @param {string} word */
  named(word) {
    if (!word) return "no word, as the sentence has stopped,";
    return word === this.words?.end ? "it stops" : word;
  }

  /** @param {Border} border @param {number} side on which of its sides */
  effect(border, side) {
    const { row, at } = border;
    // Of a word that does not change, the one that the page shows.
    const read = window.tinkerformer?.matrix("target.embedding")?.row_labels?.[row] ?? "";
    const previous = row ? (wordPast(this.rows, row - 1, at, side) ?? read) : "";
    return effectText(border, side, this.words?.end ?? "", previous);
  }

  /** @param {Border} border @param {number} side on which of its sides */
  change(border, side) {
    const { at } = border;
    const range = side > 0 ? `from ${short(at)} up` : `below ${short(at)}`;
    return `${range}: ${this.effect(border, side)}`;
  }

  /** Which side of a border the value is not on. @param {Border} border */
  sideOf({ at }) {
    return this.last !== undefined && at <= this.last ? -1 : 1;
  }

  /** @param {Border} border @param {number} side to which of its sides */
  go({ at }, side) {
    const { low, high } = /** @type {Words} */ (this.words);
    this.set(justPast(at, side, (high - low) * 1e-4));
  }
}

const WITHOUT_DROPOUT = "What is written without dropout:";
const PAST = "Set the value just past this border";

/** @param {Border} border */
const others = ({ more }) => (more ? ` (+ ${more} more ${more > 1 ? "words" : "word"})` : "");

/** @param {number} v */
const short = (v) => decimalText(Number(v.toPrecision(3)));
