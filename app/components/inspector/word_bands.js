/**
 * The words that change with the selected value, a band for each: between which values which word
 * is written. Computed in Python. Crossing a border says so, and every border can be pressed, which
 * sets the value just past it.
 */

import { html, nothing } from "../shared/lit-html.js";
import { decimalText } from "../shared/number_format.js";
import { classes, drawn } from "../shared/template.js";
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
    this.width = 0; // of the bands, in CSS px
    this.marks = /** @type {Border[]} */ ([]); // whose values are shown over the bands
    /** What is told of a band that is pointed at. */
    this.told = { band: -1, text: "" };
    this.isComing = false;
    this.sentence = "";
    this.isGone = false;
    const main = drawn(() => this.template());
    const after = drawn(() => this.borders());
    const said = drawn(() => this.crossing());
    this.node = main.node;
    this.after = after.node;
    this.said = said.node;
    this.show = () => {
      for (const { show } of [main, after, said]) show();
    };
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.draw();
    }).observe(/** @type {Element} */ (this.node.querySelector(".bands")));
    this.take({});
  }

  /** @param {Words | {coming?: boolean}} words */
  take(words) {
    this.words = "rows" in words ? words : null;
    this.isComing = "coming" in words && Boolean(words.coming);
    if (!this.words) this.isWhole = false;
    this.hush();
    this.order();
    this.draw();
  }

  template() {
    const { words, shown, isComing, isWhole, rows } = this;
    const kinds = words?.rows.flatMap(({ stretches }) => stretches.map(([, , word]) => word));
    const hues = [...new Set(kinds)];
    const more = rows.length - FIRST;
    const span = words && `From ${short(words.low)} to ${short(words.high)} no word changes.`;
    const note = words?.rows.length ? "" : words?.unread || span;
    const notes = [words?.dropout && WITHOUT_DROPOUT, note].filter(Boolean);
    const changes = more > 1 ? "words change" : "word changes";
    return html`<div class=${isComing ? "words coming" : "words"} ?hidden=${!words && !isComing}
      data-pending=${words?.pending || nothing} aria-busy=${Boolean(words?.pending)}>
      <p class="bands-heading" ?hidden=${!this.marks.length}>where a word changes</p>
      <div class="band-numbers" role="group" aria-label="Where words change"
        ?hidden=${!this.marks.length}>${this.marks.map(
          (border) => html`<button type="button" title=${PAST}
            aria-label="${this.change(border, 1)}${others(border)}"
            style="left: ${this.share(border.at)}"
            @click=${() => this.go(border, this.sideOf(border))}>${short(border.at)}</button>`,
        )}</div>
      <div class="bands">
        ${notes.map((text) => html`<p class="band-note">${text}</p>`)}
        ${shown.map((row, k) => this.band(row, k, hues))}
      </div>
      <button type="button" class="rest" aria-expanded=${isWhole} ?hidden=${more <= 0}
        @click=${() => this.showAll(!isWhole)}
        >${isWhole ? "Fewer words" : `${more} more ${changes}`}</button>
    </div>`;
  }

  /** @param {WordRow} row @param {number} band @param {string[]} hues the words of all bands */
  band({ name, stretches }, band, hues) {
    const said = stretches.map(
      ([low, high, word]) => `${this.named(word)} from ${short(low)} to ${short(high)}`,
    );
    const tell = (/** @type {string} */ text) => () => {
      this.told = { band, text };
      this.show();
    };
    const brief = stretches.map(([, , word]) => this.inBrief(word)).join(" · ");
    const told = this.told.band === band && this.told.text;
    const now = this.last === undefined ? -1 : stretchAt(stretches, this.last);
    const letters = this.width / (this.axis[1] - this.axis[0]) / LETTER; // for each 1 of the value
    return html`<div class="band-line">
      <p class="band-name">${told ? `${name}: ${told}` : name}</p>
      <div class="band" role="img" tabindex="0" aria-label="${name}: ${said.join(", ")}"
        @focus=${tell(brief)} @blur=${tell("")} @pointerleave=${tell("")}
        >${stretches.map(([low, high, word], k) => {
          const [left, right] = [low, high].map((value) => this.share(value));
          const text = this.inBrief(word);
          const isRoomy = (high - low) * letters >= text.length + 4 / LETTER;
          const hue = `var(--word-${(hues.indexOf(word) % HUES) + 1})`;
          return html`<span
            class=${classes("stretch", text !== word && "ended", k === now && "now")}
            style="left: ${left}; width: calc(${right} - ${left}); --hue: ${hue}"
            @pointerenter=${tell(said[k])}>${isRoomy ? text : ""}</span>`;
        })}</div>
    </div>`;
  }

  /** The next borders on both sides of the value, and all of them. */
  borders() {
    const { words } = this;
    const all = allBorders(this.rows);
    return html`<div class="word-borders" ?hidden=${!words && !this.isComing}>
      <div class="next-borders" ?hidden=${!words?.rows.length}>
        ${[-1, 1].map((side) => this.next(side))}
      </div>
      <details class="all-borders" ?hidden=${all.length < 3}>
        <summary>All ${all.length} borders</summary>
        <ul class="borders">
          ${all.map(
            (border) => html`<li><button type="button" title=${PAST}
              @click=${() => this.go(border, this.sideOf(border))}
              >${this.change(border, 1)}${others(border)}</button></li>`,
          )}
        </ul>
      </details>
    </div>`;
  }

  /** The button of the next border on one side. @param {number} side */
  next(side) {
    const border = this.last === undefined ? undefined : nextTo(this.rows, this.last, side);
    const sign = (/** @type {number} */ of, /** @type {string} */ text) =>
      border && of === side ? html`<span aria-hidden="true">${text}</span>` : nothing;
    return html`<button type="button" class="button border" title=${border ? PAST : ""}
      style=${border ? "" : "visibility: hidden"} @click=${() => border && this.go(border, side)}
      >${sign(-1, "‹")}${
        border
          ? html`<span>${this.change(border, side)}<small>${others(border)}</small></span>`
          : nothing
      }${sign(1, "›")}</button>`;
  }

  /** A screen reader cannot speak every border that a swing crosses. */
  crossing() {
    return html`<p class=${classes("small kept crossing", this.isGone && "gone")}
      aria-live=${this.swings ? "off" : "polite"} ?hidden=${!this.words && !this.isComing}
      >${this.sentence}</p>`;
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

  /** Draws all, with the numbers of the borders where they have room. */
  draw() {
    const [low, high] = this.axis;
    const apart = APART * ((high - low) / Math.max(1, this.width));
    this.marks = this.words ? bordersNear(this.shown, apart, this.last ?? 0) : [];
    this.show();
  }

  /** @param {boolean} on */
  swinging(on) {
    this.swings = on;
    this.hush();
  }

  /** @param {number} value that the reader sets; what is undone crosses nothing */
  sets(value) {
    this.goal = value;
  }

  /** @param {number} value now; a border between this and the one before is said */
  goesTo(value) {
    const before = this.last;
    this.last = value;
    if (!this.words || !Number.isFinite(value)) return;
    if (before !== undefined && before !== value) this.moved(before, value);
    this.show();
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
    this.sentence = `${who} just crossed ${short(border.at)}: ${effect}${others(border)}`;
    this.isGone = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isGone = true;
      this.show();
    }, SAID_FOR);
  }

  /** What was crossed is no longer news. */
  hush() {
    clearTimeout(this.timer);
    this.sentence = "";
    this.show();
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
