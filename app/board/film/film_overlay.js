/** The overlay of a film: a moving word, bars of the likeliest words, and a number. */

import { make, setText } from "../../components/shared/dom.js";
import { shareText, twoDecimals } from "../../components/shared/number_format.js";
import { tokenText } from "../../components/shared/token_text.js";
import { smooth } from "../focus/film_highlight.js";
import { LineElement } from "../labels/line_element.js";
import { easeAt, middleOf } from "../links/curve.js";
import { put } from "../picture/headings.js";

/**
 * @import {LinkDrawing} from "../links/curve.js"
 * @import {Point} from "../labels/boxes.js"
 * @import {NearPlace} from "../labels/near.js"
 */

const LARGE = 3.4; // scale of a word at the beginning of its way down to its row
const BARS = 4; // number of compared words
export const RING = 16; // CSS px, radius around a number that stays free of its label

export class FilmOverlay {
  /** @param {HTMLElement} picture */
  constructor(picture) {
    this.word = make("div", { class: "film-word", hidden: true });
    this.number = make("div", { class: "film-number", hidden: true });
    this.line = new LineElement();
    this.bars = make("div", { class: "film-bars", hidden: true });
    this.rows = Array.from({ length: BARS }, () => {
      const [word, bar, share] = [make("b"), make("i"), make("span")];
      this.bars.append(make("div", {}, word, bar, share));
      return { word, bar, share };
    });
    /** The compared words, chosen when the bars first appear. */
    this.compared = /** @type {string[]} */ ([]);
    const shown = [this.line.el, this.word, this.number, this.bars];
    this.el = make("div", { class: "film-ink", "aria-hidden": "true" }, ...shown);
    picture.append(this.el);
  }

  clear() {
    for (const each of [this.word, this.number, this.bars]) each.hidden = true;
    this.line.show([]);
  }

  /**
   * Moves a word down to its row.
   * @param {string} word @param {number} share of the way @param {Point} from @param {Point} to
   */
  lift(word, share, from, to) {
    const way = smooth(share);
    const size = LARGE + (1 - LARGE) * way;
    const at = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way };
    this.place(word, at, size, share < 0.08 ? share / 0.08 : 1 - smooth((share - 0.9) * 10));
  }

  /**
   * Moves a word along a link, from the key to the query.
   * @param {string} word @param {number} share of the way @param {LinkDrawing} drawing
   * @param {{head: number, i: number, j: number}} link
   */
  carry(word, share, drawing, { head, i, j }) {
    const { a, b, yFrom, yTo, layers } = drawing;
    const shift = layers.find((layer) => layer.head === head)?.shift ?? 0;
    const part = smooth(share);
    const x = b + (a - b) * part;
    const from = yFrom(i) + shift;
    const y = from + (yTo(j) + shift - from) * easeAt(1 - part, middleOf(drawing, i));
    this.place(word, { x, y }, 1.25, Math.min(1, 8 * share, 8 * (1 - share)));
  }

  /**
   * @param {string} word @param {Point} at its center
   * @param {number} size scale @param {number} seen opacity
   */
  place(word, { x, y }, size, seen) {
    this.word.hidden = seen <= 0;
    setText(this.word, word || "∅");
    this.word.style.opacity = seen.toFixed(3);
    put(this.word, x, y, size);
  }

  /**
   * Shows the likeliest next words of a row, with their probabilities, at the end of the row.
   * @param {{word: string, p: number}[]} best @param {number} share of the bars' growth
   * @param {() => NearPlace | null} place finds the place of the bars, once they have a size
   * @param {number} full length of a full bar, CSS px
   */
  compare(best, share, place, full) {
    this.bars.hidden = share <= 0 || !best.length;
    if (this.bars.hidden) {
      this.compared = [];
      return;
    }
    if (!this.compared.length) this.compared = best.slice(0, BARS - 1).map(({ word }) => word);
    const known = new Map(best.map(({ word, p }) => [word, p]));
    // The last bar shows the word that is now the likeliest of the others.
    const other = best.find(({ word }) => !this.compared.includes(word));
    const shown = [...this.compared, ...(other ? [other.word] : [])];
    this.bars.style.setProperty("--full", `${full.toFixed(1)}px`);
    for (const [k, { word, bar, share: text }] of this.rows.entries()) {
      const p = known.get(shown[k]) ?? 0;
      setText(word, tokenText(shown[k]));
      word.classList.toggle("most", best[0].word === shown[k]);
      bar.style.width = `${(p * full * smooth(share)).toFixed(1)}px`;
      setText(text, shareText(p));
    }
    this.bars.style.opacity = String(Math.min(1, 4 * share));
    this.put(this.bars, place());
  }

  /**
   * Shows the current value of a number.
   * @param {string} name of the number's column @param {number | undefined} value
   * @param {() => NearPlace | null} place finds the label's place, once it has a size
   */
  say(name, value, place) {
    this.number.hidden = value === undefined;
    if (value === undefined) return;
    const now = twoDecimals(value);
    setText(this.number, name ? `${name} = ${now}` : now);
    const found = place();
    this.put(this.number, found);
    this.line.show(found?.way ?? []);
  }

  /** @param {HTMLElement} el @param {NearPlace | null} place null if the element has no room */
  put(el, place) {
    el.hidden = !place;
    if (!place) return;
    const { x, y } = place.box;
    el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  remove() {
    this.el.remove();
  }
}
