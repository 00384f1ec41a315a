/** The headings over the parts of the picture: titles, what a part does, symbols, formulas. */

import { setText } from "../../components/shared/dom.js";
import { headingElement } from "./heading_element.js";
import { bestOf, formOf, LETTERS, PER_WORDING, placesOf } from "./heading_places.js";
import { isButton, LINE, LONG, OWN, widthOf, wordingsOf } from "./heading_sizes.js";

/**
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Candidates, HeadingPlace, PlacedHeading, Seen} from "./heading_places.js"
 * @import {LabelActions, Placeable} from "./labels.js"
 * @import {Label, Plan} from "./plan.js"
 *
 * @typedef {PlacedHeading & {el: HTMLElement, says: string}} Heading `says`: identifies its
 *   content, regardless of its place. Its `wide` is 0 until it is measured
 *
 * @typedef {Placeable & {all: Candidates}} FoundLabel
 */

/** The priority of each kind: labels with larger numbers are placed first. */
const PRIORITY = {
  ...{ stack: 9, part: 8, close: 7.9, read: 7, strip: 6, words: 5, step: 4, symbol: 3 },
  ...{ vector: 2, sign: 1, formula: 1, add: 0 },
};
const FITS = 0.5; // added to the priority of a label no wider than its room
const APART = { symbol: 0, sign: 0, part: 0, stack: 0 }; // CSS px kept free at each side, by kind
const APART_ELSE = 3; // the same for all other kinds

export class Headings {
  /**
   * @param {LabelActions} actions @param {() => string} font family of text
   * @param {() => void} onResize called when a typeset symbol has got another width
   */
  constructor(actions, font, onResize) {
    this.actions = actions;
    this.font = font;
    this.all = /** @type {Heading[]} */ ([]);
    /** The candidate places of each heading: all, and those in sight (`free`). */
    this.found = { all: /** @type {Candidates[]} */ ([]), free: /** @type {Candidates[]} */ ([]) };
    this.form = 0; // the index of the wording of all sublayers' titles
    this.zoom = 1;
    this.lanesLeft = 0; // left end of the lanes, in units
    /** Watches symbols, whose width changes when their fonts are loaded. */
    this.observer = new ResizeObserver((entries) => {
      const isNews = entries.some(({ target }) => {
        const heading = this.all.find(({ el }) => el === target);
        const { offsetWidth } = /** @type {HTMLElement} */ (target);
        return heading && offsetWidth > 0 && heading.wide !== offsetWidth;
      });
      if (isNews) onResize();
    });
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    const parts = new Map(entry.parts.map((part) => [part.id, part]));
    this.lanesLeft = Math.min(...[...plan.lanes.values()].map(({ left }) => left));
    this.observer.disconnect();
    /** The names of strips and weights so far, by line. @type {Map<string, number>} */
    const counts = new Map();
    const before = /** @type {Map<string, Heading[]>} */ (new Map());
    for (const each of this.all) before.set(each.says, [...(before.get(each.says) ?? []), each]);
    this.all = plan.labels.map((label) => {
      const part = parts.get(label.part);
      const says = saysOf(label, part);
      const { kind, text } = label;
      const isInLine = kind === "symbol" || (kind === "strip" && part?.unfolded === true);
      const line = `${label.part} ${label.y}`;
      const count = isInLine ? (counts.get(line) ?? 0) : 0;
      if (isInLine) counts.set(line, count + 1);
      const own = { label, isInLine, isSecond: count % 2 === 1 };
      // Reuse headings that another sentence has, too: laying out typeset symbols takes long.
      const same = before.get(says)?.shift();
      if (same) return { ...same, ...own };
      const family = this.font();
      const wordings =
        part && kind === "part" ? wordingsOf(text, part, stackOf(part, entry), family) : [];
      const wide = label.tex || isButton(kind) ? 0 : widthOf(kind, text, family);
      return { ...own, says, el: headingElement(label, part, this.actions), wide, wordings };
    });
    for (const { label, el } of this.all) if (label.tex) this.observer.observe(el);
  }

  /** Reads the layout width of symbols and links. */
  measure() {
    const all = this.all.filter(({ wide }) => !wide);
    for (const { el } of all) el.hidden = false;
    for (const each of all) each.wide = Math.max(1, each.el.offsetWidth);
  }

  /** Forgets the widths of typeset symbols, which have changed. */
  forget() {
    for (const each of this.all) if (each.label.tex) each.wide = 0;
  }

  /**
   * Finds the candidate places of all headings.
   * @param {Seen} seen @returns {number} the height of the pinned headings, in CSS px
   */
  find(seen) {
    const { all, free, top } = placesOf(this.all, seen, this.lanesLeft);
    this.found = { all, free };
    this.form = formOf(this.all, free);
    this.zoom = seen.camera.zoom;
    return top;
  }

  /**
   * The labels at the places found. The titles of all sublayers use the same form, so that a part
   * has the same name in every row: the shortest that any of them needs.
   * @returns {FoundLabel[]}
   */
  labels() {
    return this.all.map((heading, k) => {
      const { label, el, wordings } = heading;
      const least = label.sublayer ? Math.min(this.form, wordings.length - 1) : 0;
      const inForm = (/** @type {HeadingPlace | null} */ place) => {
        const form = place?.wording ? wordings.indexOf(place.wording) : least;
        return form === least || (form > least && form <= OWN) ? place : null;
      };
      const places = this.found.free[k].map(inForm);
      const wanted = bestOf(this.found.all[k]);
      const isOutside = wanted !== null && !bestOf(this.found.free[k]);
      const show = (/** @type {number | undefined} */ at) => {
        // A title without a place stays focusable; the camera moves to a title with the focus.
        const found = at === undefined ? null : places[at];
        const shown = found ?? (label.kind === "part" ? wanted : null);
        if (el.hidden === Boolean(shown)) el.hidden = !shown;
        el.classList.toggle("covered", !found);
        el.classList.toggle("pinned", Boolean(found?.isPinned));
        // Do not update hidden labels: while the camera moves, most labels are hidden.
        if (!shown) return;
        if (shown.wording) {
          setText(el, shown.wording.text);
          // Short ones have no arrow.
          el.classList.toggle("short", wordings.lastIndexOf(shown.wording) > LONG);
        }
        put(el, shown.x, shown.y, shown.scale);
      };
      const group = isOutside ? undefined : groupOf(label);
      const own = placeable(heading, `heading ${k}`, places, this.zoom);
      return { ...own, group, show, all: places };
    });
  }

  /**
   * Shortens the titles of the sublayers if one of them has no room for their form.
   * @param {readonly FoundLabel[]} labels as they were placed @param {Map<string, number>} placed
   * @returns {boolean} whether they were shortened
   */
  shortens(labels, placed) {
    const isLeftOut = labels.some(({ all, key }, k) => {
      const { sublayer } = this.all[k].label;
      // The names of all layers are worth more than that of each attention between two stacks.
      const counts = sublayer && (this.form <= OWN || sublayer !== "cross");
      return counts && bestOf(all) && !placed.has(key);
    });
    const found = labels.map(({ all, key }) => [all[placed.get(key) ?? -1] ?? null]);
    const last = Math.max(0, ...this.all.map(({ wordings }) => wordings.length - 1));
    const form = Math.min(last, Math.max(formOf(this.all, found), this.form + Number(isLeftOut)));
    const isShorter = form > this.form;
    this.form = form;
    return isShorter;
  }

  remove() {
    this.observer.disconnect();
  }
}

/**
 * A heading as input of `place`. A pinned one avoids only labels, since it covers no numbers.
 * @param {Heading} heading @param {string} key @param {Candidates} places
 * @param {number} zoom CSS px per unit, horizontally
 */
function placeable({ label: { kind, room } }, key, places, zoom) {
  const { top, bottom } = LETTERS;
  const apart = APART[/** @type {keyof typeof APART} */ (kind)] ?? APART_ELSE;
  const boxOf = (/** @type {HeadingPlace} */ { x, y, scale, wide }) => ({
    ...{ x: x - apart, y: y + top * LINE * scale },
    ...{ width: wide * scale + 2 * apart, height: (bottom - top) * LINE * scale },
  });
  const boxes = places.map((each) => each && boxOf(each));
  const best = bestOf(places);
  const pinned = best?.isPinned ? "labels" : "all";
  const avoids = /** @type {Placeable["avoids"]} */ (kind === "add" ? "nothing" : pinned);
  const isRoom = best && best.wide * best.scale <= (best.isAside ? 0 : room * zoom);
  const priority = PRIORITY[kind] + (isRoom ? FITS : 0);
  const perForm = kind === "words" ? 1 : PER_WORDING;
  return { key, places: boxes, perForm, priority, avoids };
}

/** What a part's stack has. @param {PartEntry} part @param {WholeEntry} entry */
function stackOf({ stack }, { parts }) {
  const own = parts.filter((each) => each.stack === stack);
  const layers = Math.max(1, ...own.map(({ layer }) => layer ?? 0));
  return { layers, crosses: own.some(({ kind }) => kind === "cross") };
}

/**
 * The group of labels shown together: signs of a sum, vectors of a part, lines under titles.
 * @param {Label} label
 */
function groupOf({ kind, part }) {
  if (kind === "words") return kind;
  return kind === "sign" || kind === "vector" ? `${kind} ${part}` : undefined;
}

/**
 * Identifies what a heading shows and does, regardless of its position.
 * @param {Label} label @param {PartEntry | undefined} part
 */
function saysOf(label, part) {
  const { kind, text, tex, meaning, symbol, path, backward } = label;
  return JSON.stringify([kind, text, tex, meaning, symbol, path, backward, part]);
}

/** @param {HTMLElement} el @param {number} x @param {number} y @param {number} scale */
export function put(el, x, y, scale) {
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
