/**
 * Draws the likeliest words over the values of the selected number, in one band per row whose word
 * changes. Python computes the words; at every value the decoder reads the present words, so that
 * the band of a row agrees with the row's word on the page. Pressing a border sets the value just
 * past it.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { rough } from "../../components/shared/number_format.js";
import { classes, drawn } from "../../components/shared/template.js";
import { tokenText } from "../../components/shared/token_text.js";
import { allBorders, banded, justPast, nextTo, stretchAt, wordAt } from "./word_borders.js";

/** @import {WordRow, Words} from "./types.js" */

const FIRST = 3; // bands shown at first
const LETTER = 6.6; // CSS px, approximately
const THIN = 3; // CSS px of the narrowest stretch drawn to scale

export class WordBands {
  /** @param {(value: number) => void} set */
  constructor(set) {
    this.set = set;
    this.words = /** @type {Words | null} */ (null);
    this.rows = /** @type {WordRow[]} */ ([]); // the rows with a band, in display order
    this.axis = /** @type {[low: number, high: number]} */ ([-1, 1]);
    this.row = -1; // the position of the curve
    this.isWhole = false; // whether all bands are shown
    this.last = /** @type {number | undefined} */ (undefined);
    this.width = 0; // width of the bands, in CSS px
    /** The text about the hovered band. */
    this.told = { band: -1, text: "" };
    this.isComing = false;
    const main = drawn(() => this.template());
    const after = drawn(() => this.borders());
    this.node = main.node;
    this.after = after.node;
    this.show = () => {
      for (const { show } of [main, after]) show();
    };
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.show();
    }).observe(/** @type {Element} */ (this.node.querySelector(".bands")));
    this.take({});
  }

  /** @param {Words | {coming?: boolean}} words */
  take(words) {
    this.words = "rows" in words ? words : null;
    this.isComing = "coming" in words && Boolean(words.coming);
    if (!this.words) this.isWhole = false;
    this.order();
    this.show();
  }

  template() {
    const { words, shown, isComing, isWhole, rows } = this;
    const more = rows.length - FIRST;
    const span = words && `From ${rough(words.low)} to ${rough(words.high)} no word changes.`;
    const note = rows.length ? "" : words?.unread || span;
    const changes = more > 1 ? "words change" : "word changes";
    return html`<div class=${isComing ? "words coming" : "words"} ?hidden=${!words && !isComing}
      data-pending=${words?.pending || nothing} aria-busy=${Boolean(words?.pending)}>
      <p class="bands-heading" ?hidden=${!rows.length}>${LIKELIEST}</p>
      <div class="bands">
        <p class="band-note" ?hidden=${!note}>${note}</p>
        ${shown.map((row, k) => this.band(row, k))}
      </div>
      <button type="button" class="rest" aria-expanded=${isWhole} ?hidden=${more <= 0}
        @click=${() => this.showAll(!isWhole)}
        >${isWhole ? "Fewer words" : `${more} more ${changes}`}</button>
    </div>`;
  }

  /** @param {WordRow} row @param {number} band */
  band({ name, stretches }, band) {
    const said = stretches.map(
      ([low, high, word]) => `${this.inBrief(word)} from ${rough(low)} to ${rough(high)}`,
    );
    const tell = (/** @type {string} */ text) => () => {
      this.told = { band, text };
      this.show();
    };
    const brief = stretches.map(([, , word]) => this.inBrief(word)).join(" · ");
    const now = this.last === undefined ? -1 : stretchAt(stretches, this.last);
    const told = this.told.band === band ? this.told.text : "";
    const word = now < 0 ? "" : this.inBrief(stretches[now][2]);
    const about = [name, told || word].filter(Boolean).join(": ");
    const scale = this.width / (this.axis[1] - this.axis[0]); // CSS px per unit of the value
    return html`<div class="band-line">
      <p class="band-name">${about}</p>
      <div class="band" role="img" tabindex="0" aria-label="${name}: ${said.join(", ")}"
        @focus=${tell(brief)} @blur=${tell("")} @pointerleave=${tell("")}
        >${stretches.map(([low, high, word], k) => {
          const [left, right] = [low, high].map((value) => this.share(value));
          const text = this.inBrief(word);
          const room = (high - low) * scale;
          const isRoomy = room >= text.length * LETTER + 4;
          return html`<span
            class=${classes(
              "stretch",
              word !== "" && word === this.words?.end && "ended",
              k === now && "now",
              room < THIN && "thin",
            )}
            style="left: ${left}; width: calc(${right} - ${left})"
            @pointerenter=${tell(said[k])}>${isRoomy ? text : ""}</span>`;
        })}</div>
    </div>`;
  }

  /** Returns the next borders on both sides of the value, and a list of all borders. */
  borders() {
    const { words } = this;
    const all = allBorders(this.rows);
    return html`<div class="word-borders" ?hidden=${!words && !this.isComing}>
      <div class="next-borders" ?hidden=${!all.length}>
        ${[-1, 1].map((side) => this.next(side))}
      </div>
      <details class="all-borders" ?hidden=${all.length < 3}>
        <summary>All ${all.length} borders</summary>
        <ul class="borders">
          ${all.map(
            (at) => html`<li><button type="button" title=${PAST}
              @click=${() => this.go(at, this.sideOf(at))}>${this.change(at, 1)}</button></li>`,
          )}
        </ul>
      </details>
    </div>`;
  }

  /** Returns the button of the next border on a side. @param {number} side −1 below, 1 above */
  next(side) {
    const border = this.last === undefined ? undefined : nextTo(this.rows, this.last, side);
    const sign = (/** @type {number} */ of, /** @type {string} */ text) =>
      border !== undefined && of === side ? html`<span aria-hidden="true">${text}</span>` : nothing;
    return html`<button type="button" class="button border"
      title=${border === undefined ? "" : PAST}
      style=${border === undefined ? "visibility: hidden" : ""}
      @click=${() => border !== undefined && this.go(border, side)}
      >${sign(-1, "‹")}${
        border !== undefined ? html`<span>${this.change(border, side)}</span>` : nothing
      }${sign(1, "›")}</button>`;
  }

  /** Orders the bands; while the value changes, the order stays, so that they remain readable. */
  order() {
    this.rows = this.words ? banded(this.words.rows, this.row, this.last ?? 0) : [];
  }

  /** Sets the axis to the slider's ends. @param {number} low @param {number} high */
  along(low, high) {
    if (low === this.axis[0] && high === this.axis[1]) return;
    this.axis = /** @type {[number, number]} */ ([low, high]);
    this.show();
  }

  /** @param {number} row the row of the curve, whose band is the first */
  about(row) {
    if (row === this.row) return;
    this.row = row;
    this.order();
    this.show();
  }

  /** @param {boolean} isWhole */
  showAll(isWhole) {
    this.isWhole = isWhole;
    this.show();
  }

  /** @param {number} value */
  share(value) {
    const [low, high] = this.axis;
    return `${(100 * (value - low)) / (high - low)}%`;
  }

  get shown() {
    return this.isWhole ? this.rows : this.rows.slice(0, FIRST);
  }

  /** @param {number} value the current value */
  goesTo(value) {
    this.last = value;
    this.show();
  }

  /** Returns the text of a word in a band. @param {string} word */
  inBrief(word) {
    return word && word === this.words?.end ? "stops" : tokenText(word);
  }

  /** Describes words past a border. @param {number} at @param {number} side −1 below, 1 above */
  change(at, side) {
    const [there, here] = [side, -side].map((each) => this.past(at, each));
    const changed = this.rows.flatMap(({ name, stretches }) => {
      const word = wordAt(stretches, there);
      return word === wordAt(stretches, here) ? [] : [`${this.inBrief(word)} ${name}`];
    });
    return `${side > 0 ? `from ${rough(at)} up` : `below ${rough(at)}`}: ${changed.join(", ")}`;
  }

  /** Returns the side of a border that is opposite to the value. @param {number} at */
  sideOf(at) {
    return this.last !== undefined && at <= this.last ? -1 : 1;
  }

  /** Returns a short value just past a border. @param {number} at @param {number} side */
  past(at, side) {
    const { low, high } = /** @type {Words} */ (this.words);
    return justPast(at, side, (high - low) * 1e-4);
  }

  /** @param {number} at @param {number} side the side of the border for the new value */
  go(at, side) {
    this.set(this.past(at, side));
  }
}

const LIKELIEST = "The likeliest word at each value";
const PAST = "Set the value just past this border";
