/**
 * Words at both ends of an unfolded part's links, because the words of the rows are far away: the
 * keys (words looked at) at the left, the queries (words that look) at the right.
 */

import { make } from "../../components/shared/dom.js";
import { textWidth } from "../paint/layout.js";

/**
 * @import {WholeEntry} from "../data/types.js"
 * @import {Drawing} from "./drawing.js"
 * @import {Placeable, Sight} from "./labels.js"
 * @import {LaneLinks} from "./lane_links.js"
 *
 * @typedef {{links: LaneLinks, isAtEnd: boolean, words: HTMLElement[]}} Column of words
 */

const AWAY = 4; // CSS px from the end of a link
const LEAST_WIDE = 90; // CSS px of the links
const LINE = 14; // CSS px, height of a word
const PADDED = 6; // CSS px of padding, both sides of a word
const INNER = 2; // CSS px above and below the letters
const PRIORITY = 7.5; // below that of the labels of a followed ribbon

export class LinkWords {
  /** @param {() => string} font */
  constructor(font) {
    this.font = font;
    this.columns = /** @type {Column[]} */ ([]);
    // Screen readers find the same words at the rows.
    this.el = make("div", { class: "link-words", "aria-hidden": "true" });
  }

  /** @param {Drawing | null} drawing @param {WholeEntry | null} entry */
  show(drawing, entry) {
    const unfolded = new Set(entry?.parts.filter((part) => part.unfolded).map(({ id }) => id));
    const links = (drawing?.links ?? []).filter(({ placed }) => unfolded.has(placed.part));
    this.columns = links.flatMap((each) => (entry ? this.columnsOf(each, entry) : []));
    this.el.replaceChildren(...this.columns.flatMap(({ words }) => words));
  }

  /** @param {LaneLinks} links @param {WholeEntry} entry @returns {Column[]} */
  columnsOf(links, entry) {
    const { keys, stack } = links.placed.item;
    const { rows, cols } = links.matrices[0];
    return [keys, stack].flatMap((name, side) => {
      const words = entry.stacks.find((each) => each.stack === name)?.words ?? [];
      // A window on a large matrix has fewer rows than words.
      if (words.length !== (side ? rows : cols)) return [];
      return [{ links, isAtEnd: side === 1, words: words.map((t) => make("span", {}, t || "∅")) }];
    });
  }

  /** @param {Sight} sight @returns {Placeable[]} */
  labels({ view, left, top }) {
    return this.columns.flatMap(({ links, isAtEnd, words }, column) => {
      // A link is drawn from its query, at the right, to its key.
      const drawing = links.drawing();
      if (!drawing) return [];
      const { yFrom, yTo, a, b } = drawing;
      const [x, yOf] = isAtEnd ? [a - AWAY, yFrom] : [b + AWAY, yTo];
      const isWide = a - b >= LEAST_WIDE && x > left && x < view.width;
      return words.map((el, k) => {
        const width = textWidth(el.textContent ?? "", this.font()) + PADDED;
        const [start, y] = [isAtEnd ? x - width : x, yOf(k)];
        const box = { x: start, y: y - LINE / 2 + INNER, width, height: LINE - 2 * INNER };
        const isIn = isWide && y > top && y < view.height;
        return {
          ...{ key: `link word ${column} ${k}`, places: isIn ? [box] : [] },
          ...{ priority: PRIORITY, avoids: "labels" },
          show: (at) => {
            el.hidden = at === undefined;
            el.style.transform = `translate(${start.toFixed(1)}px, ${(y - LINE / 2).toFixed(1)}px)`;
          },
        };
      });
    });
  }
}
