/**
 * The words at both ends of the links of a part that is unfolded, where the words of the rows are
 * far away: at the left those that are looked at, at the right those that look.
 */

import { make, setText } from "../../shared/dom.js";
import { place } from "../labels/place.js";
import { textWidth } from "../paint/layout.js";

/**
 * @import {WholeEntry} from "../data/types.js"
 * @import {Drawing} from "./drawing.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {{text: string, x: number, y: number, isAtEnd: boolean}} LinkWord
 */

const AWAY = 4; // CSS px from the end of a link
const LEAST = { apart: 11, wide: 150 }; // CSS px between rows, and of the links
const LINE = 14; // CSS px of a word, which gives way to the label of a followed ribbon
const INNER = 2; // CSS px of it above and below the letters

export class LinkWords {
  /** @param {Viewpoint} viewpoint @param {() => string} font */
  constructor(viewpoint, font) {
    this.viewpoint = viewpoint;
    this.font = font;
    // The rows themselves have their words: screen readers need no second ones.
    this.el = make("div", { class: "link-words", "aria-hidden": "true" });
  }

  /**
   * After something was painted.
   * @param {Drawing | null} drawing @param {WholeEntry | null} entry
   */
  place(drawing, entry) {
    const unfolded = new Set(entry?.parts.filter((part) => part.unfolded).map(({ id }) => id));
    const links = (drawing?.links ?? []).filter(({ placed }) => unfolded.has(placed.part));
    const words = entry ? links.flatMap((each) => this.wordsOf(each, entry)) : [];
    while (this.el.childElementCount > words.length) this.el.lastElementChild?.remove();
    while (this.el.childElementCount < words.length) this.el.append(make("span"));
    words.forEach(({ text, x, y, isAtEnd }, k) => {
      const node = /** @type {HTMLElement} */ (this.el.children[k]);
      setText(node, text);
      const back = isAtEnd ? " translateX(-100%)" : "";
      node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)${back}`;
    });
  }

  /** @param {LaneLinks} links @param {WholeEntry} entry @returns {LinkWord[]} */
  wordsOf(links, entry) {
    const drawing = links.drawing();
    // A link is drawn from its query, at the right, to its key.
    if (!drawing || drawing.a - drawing.b < LEAST.wide) return [];
    const { rows, cols, yFrom, yTo, a, b } = drawing;
    const { keys, stack } = links.placed.item;
    const of = (/** @type {string} */ name) =>
      entry.stacks.find((each) => each.stack === name)?.words ?? [];
    return [
      ...this.column(of(keys), cols, yTo, b + AWAY, false),
      ...this.column(of(stack), rows, yFrom, a - AWAY, true),
    ];
  }

  /**
   * @param {string[]} words @param {number} count of the rows; of a window there are fewer
   * @param {(k: number) => number} yOf @param {number} x @param {boolean} isAtEnd
   * @returns {LinkWord[]}
   */
  column(words, count, yOf, x, isAtEnd) {
    const { view, covered, claims } = this.viewpoint;
    const isIn = x > covered.left && x < view.width;
    if (!isIn || count !== words.length || (count > 1 && yOf(1) - yOf(0) < LEAST.apart)) return [];
    const all = words.map((text, k) => ({ text: text || "∅", x, y: yOf(k) - LINE / 2, isAtEnd }));
    const labels = all.map(({ text, y }, k) => {
      const width = textWidth(text, this.font());
      const box = { x: isAtEnd ? x - width : x, y: y + INNER, width, height: LINE - 2 * INNER };
      const isIn = yOf(k) > covered.top && yOf(k) < view.height;
      return { key: `${k}`, places: isIn ? [box] : [], priority: 0 };
    });
    const placed = place(labels, [], new Map(), claims.of("ribbons"));
    return all.filter((_, k) => placed.has(`${k}`));
  }
}
