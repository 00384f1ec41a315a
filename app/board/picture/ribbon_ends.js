/**
 * Labels at the far ends of the followed word's ribbons: the other word and the weights. A word at
 * its right end has labels with the words that it looks at; a source word, with the words that look
 * at it. A weight can be pressed and dragged like a cell. For the keyboard and screen readers all
 * labels form one group.
 */

import { make, setAttribute, setText } from "../../components/shared/dom.js";
import { shareText } from "../../components/shared/number_format.js";
import { headVariable } from "../links/head_toggles.js";
import { MOST_COLORS } from "../links/link_curves.js";
import { textWidth } from "../paint/layout.js";
import { scales } from "./camera.js";
import { partName } from "./plan.js";

/**
 * @import {CellOf, FollowedLane, Lane, WholeEntry} from "../data/types.js"
 * @import {Hit} from "../input/grid.js"
 * @import {Drawing} from "./drawing.js"
 * @import {Placeable} from "./labels.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {PlacedLinks} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {{head: number, weight: number, cell: CellOf}} HeadWeight
 * @typedef {{links: LaneLinks, i: number, j: number, y: number}} Pair `y`: CSS px of the view
 * @typedef {{pair: Pair, weights: HeadWeight[], most: number}} Ribbon
 * @typedef {{el: HTMLButtonElement, word: HTMLElement, numbers: HTMLElement, ribbon: Ribbon,
 *   shown: HeadWeight[], x: number}} End `x`: end of the ribbon, CSS px of the view
 */

const LINE = 15; // least CSS px between two labels
/** Possible shifts of a label from the middle of its row, in CSS px, for rows closer than lines. */
const ASIDE = [0, LINE / 4, -LINE / 4, LINE / 2, -LINE / 2];
const NUMBER = 28; // CSS px that a weight takes
const PADDED = 8; // CSS px of padding
/** Labels are placed after titles and before links to formulas, the strongest first. */
const PRIORITY = { least: 7.55, more: 0.3 };
const MOST_SHARE = 0.78; // largest share of the links' width that a label takes

/** @param {HeadWeight} a @param {HeadWeight} b */
const larger = (a, b) => (b.weight > a.weight ? b : a);

export class RibbonEnds {
  /** @param {Viewpoint} viewpoint @param {() => string} font */
  constructor(viewpoint, font) {
    this.viewpoint = viewpoint;
    this.font = font;
    this.drawing = /** @type {Drawing | null} */ (null);
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.lane = /** @type {Lane | null} */ (null);
    this.isWritten = false;
    this.ends = /** @type {End[]} */ ([]);
    this.bare = /** @type {Set<LaneLinks>} */ (new Set()); // links beside which words have no room
    this.wanted = ""; // the labels to place, as text
    this.el = make("div", { class: "ribbon-ends", role: "group", hidden: true });
    this.el.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {Drawing | null} drawing @param {WholeEntry | null} entry */
  show(drawing, entry) {
    this.drawing = drawing;
    this.entry = entry;
  }

  /** @param {FollowedLane | null} lane */
  follow(lane) {
    this.lane = lane;
    this.isWritten = lane?.isWritten ?? false;
    const does = this.isWritten ? "looks at, and how much" : "is looked at by, and how much";
    if (lane) this.el.setAttribute("aria-label", `What ${this.word(lane)} ${does}`);
  }

  /** @param {Lane} lane */
  word({ stack, index }) {
    return this.entry?.stacks.find((each) => each.stack === stack)?.words[index] || "∅";
  }

  /**
   * Updates the labels after a repaint, because ribbons may have moved or weights changed.
   * @returns {boolean} whether the labels to place have changed
   */
  write() {
    const ribbons = this.lane ? this.ribbons(this.lane) : [];
    while (this.ends.length > ribbons.length) this.ends.pop()?.el.remove();
    while (this.ends.length < ribbons.length) this.add(ribbons[this.ends.length]);
    ribbons.forEach((ribbon, k) => {
      this.put(this.ends[k], ribbon);
    });
    // If a label has no room for its word, no label of the same links shows its word.
    this.bare = new Set(this.ends.filter((end) => !this.hasRoom(end, false)).map(linksOf));
    const last = Math.max(...this.ends.map((end) => linksOf(end).drawing()?.b ?? 0));
    for (const end of this.ends) {
      end.el.classList.toggle("bare", this.bare.has(linksOf(end)));
      end.el.classList.toggle("earlier", (linksOf(end).drawing()?.b ?? 0) < last);
    }
    if (this.el.hidden !== !ribbons.length) this.el.hidden = !ribbons.length;
    const before = this.wanted;
    this.wanted = this.ends.map((end) => `${keyOf(end)} ${this.widthOf(end)}`).join();
    return this.wanted !== before;
  }

  /** The labels, at or beside their rows; the strongest are placed first. @returns {Placeable[]} */
  labels() {
    this.write();
    return this.ends.map((end) => {
      const { el, ribbon, x } = end;
      const { y } = ribbon.pair;
      const width = this.widthOf(end);
      const left = this.isWritten ? x : x - width;
      return {
        key: keyOf(end),
        places: this.hasRoom(end, true)
          ? ASIDE.map((by) => ({ x: left, y: y + by - LINE / 2, width, height: LINE }))
          : [],
        priority: PRIORITY.least + PRIORITY.more * ribbon.most,
        avoids: "labels",
        show: (at) => {
          if (el.hidden !== (at === undefined)) el.hidden = at === undefined;
          this.keepStop();
          if (at === undefined) return;
          const to = `translate(${x.toFixed(1)}px, ${(y + ASIDE[at]).toFixed(1)}px)`;
          el.style.transform = `${to} translate(${this.isWritten ? 0 : -100}%, -50%)`;
        },
      };
    });
  }

  /** The labels that have a place. */
  get shown() {
    return this.ends.filter(({ el }) => !el.hidden);
  }

  /** Makes one of the shown labels the Tab stop. */
  keepStop() {
    const { shown } = this;
    if (shown.length && !shown.some(({ el }) => el.tabIndex === 0)) this.tabTo(shown[0]);
  }

  /** @param {Ribbon} ribbon */
  add(ribbon) {
    const word = make("span", { class: "of" });
    const numbers = make("span", { class: "numbers" });
    const el = make("button", { type: "button", class: "ribbon-end", tabindex: -1 }, word, numbers);
    this.ends.push({ el, word, numbers, ribbon, shown: [], x: 0 });
    this.el.append(el);
  }

  /**
   * The weight that an element represents: the one shown by a number; for others, the largest.
   * @param {Element} el @returns {Hit | null}
   */
  standIn(el) {
    const end = this.ends.find((each) => each.el.contains(el));
    if (!end) return null;
    const { weights, pair } = end.ribbon;
    const number = [...end.numbers.children].findIndex((each) => each.contains(el));
    const { head, cell } = end.shown[number] ?? weights.reduce(larger);
    const view = pair.links.grids.find((grid) => grid.head === head);
    return view ? { view, cell: { i: cell.i, j: cell.j } } : null;
  }

  /** The ribbons in sight. @param {Lane} lane @returns {Ribbon[]} */
  ribbons(lane) {
    const { height, width } = this.viewpoint.view;
    const { covered } = this.viewpoint;
    return (this.drawing?.links ?? []).flatMap((links) => {
      const drawing = links.drawing();
      const x = (this.isWritten ? drawing?.b : drawing?.a) ?? -1;
      if (!drawing || x < covered.left || x > width) return [];
      return this.pairsOf(lane, links)
        .map((pair) => ({ pair, weights: links.standingOut(pair.i, pair.j) }))
        .filter(({ pair, weights }) => {
          const isIn = pair.y > covered.top && pair.y < height;
          return weights.length > 0 && isIn;
        })
        .map((each) => ({ ...each, most: Math.max(...each.weights.map(({ weight }) => weight)) }));
    });
  }

  /** @param {Lane} lane @param {LaneLinks} links @returns {Pair[]} */
  pairsOf({ stack, index }, links) {
    const { item } = links.placed;
    const drawing = links.drawing();
    const own = this.isWritten ? item.stack : item.keys;
    if (!drawing || own !== stack) return [];
    const { rows, cols, yFrom, yTo } = drawing;
    return this.isWritten
      ? Array.from({ length: cols }, (_, j) => ({ links, i: index, j, y: yTo(j) }))
      : Array.from({ length: rows }, (_, i) => ({ links, i, j: index, y: yFrom(i) }));
  }

  /** @param {End} end @param {Ribbon} ribbon */
  put(end, ribbon) {
    const { links, i, j } = ribbon.pair;
    const { weights } = ribbon;
    const { el, numbers } = end;
    const { placed } = links;
    const { viewpoint, isWritten } = this;
    const word = this.word(
      isWritten ? { stack: placed.item.keys, index: j } : { stack: placed.item.stack, index: i },
    );
    const shown = this.shownOf(weights, placed);
    Object.assign(end, { ribbon, shown });
    setText(end.word, word);
    while (numbers.childElementCount > shown.length) numbers.lastElementChild?.remove();
    while (numbers.childElementCount < shown.length) numbers.append(make("span", {}));
    shown.forEach(({ head, weight }, k) => {
      const number = /** @type {HTMLElement} */ (numbers.children[k]);
      setText(number, shareText(weight));
      setAttribute(number, "style", `--head: ${headVariable(head)}`);
    });
    const part = this.entry?.parts.find(({ id }) => id === placed.part);
    const said = weights.map(({ head, weight }) => `head ${head + 1} ${weight.toFixed(3)}`);
    setAttribute(el, "aria-label", `${part ? partName(part) : ""}, ${word}: ${said.join(", ")}`);
    const { across } = scales(viewpoint.camera);
    const at = isWritten ? placed.left : placed.right;
    end.x = (at - viewpoint.camera.x) * across;
  }

  /**
   * The strongest weights that have room side by side; only one if there are too many to color.
   * @param {HeadWeight[]} weights @param {PlacedLinks} placed
   */
  shownOf(weights, { left, right }) {
    const wide = (right - left) * scales(this.viewpoint.camera).across * MOST_SHARE;
    const room = Math.max(1, Math.floor((wide - PADDED) / NUMBER));
    const most = weights.length > MOST_COLORS ? 1 : room;
    const kept = weights.toSorted((a, b) => b.weight - a.weight).slice(0, most);
    return weights.filter((each) => kept.includes(each));
  }

  /** The width of a label, CSS px. @param {End} end @param {boolean} [isBare] without its word */
  widthOf(end, isBare = this.bare.has(linksOf(end))) {
    const own = isBare ? 0 : textWidth(end.word.textContent ?? "", this.font());
    return own + end.shown.length * NUMBER + PADDED;
  }

  /**
   * Whether the links are wide enough for a label. If they are not for the word, only the weight is
   * shown, since the word is also shown at its row; if not for the weight, the label is left out.
   * @param {End} end @param {boolean} isBare whether it is without its word
   */
  hasRoom(end, isBare) {
    const { placed } = end.ribbon.pair.links;
    const { across } = scales(this.viewpoint.camera);
    return this.widthOf(end, isBare) <= (placed.right - placed.left) * across * MOST_SHARE;
  }

  /** @param {End} end the label that Tab reaches */
  tabTo(end) {
    for (const each of this.ends) each.el.tabIndex = each === end ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { shown } = this;
    const at = shown.findIndex(({ el }) => el === event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = shown.length - 1;
    /** @type {Record<string, number>} */
    const next = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1 };
    const to = { ...next, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    const end = shown[Math.max(0, Math.min(last, to))];
    this.tabTo(end);
    end.el.focus({ preventScroll: true });
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {End} end */
const linksOf = ({ ribbon }) => ribbon.pair.links;

/** @param {End} end */
const keyOf = ({ ribbon: { pair } }) => `ribbon ${pair.links.placed.part} ${pair.i} ${pair.j}`;
