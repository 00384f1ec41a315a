/**
 * The words at the ends of the lanes: read words at the left, written words at the right. If lanes
 * are too close to each other, some words are omitted, and a note says so.
 */

import { make, setAttribute, setText } from "../../components/shared/dom.js";
import { tokenText } from "../../components/shared/token_text.js";
import { inUnits } from "../../components/shared/units.js";
import { isSameLane } from "../data/cursors.js";
import { textWidth } from "../paint/layout.js";
import { likeliestWords, probabilitiesOf } from "../stages/next_tokens.js";
import { placeDown, scales } from "./camera.js";
import { BASE, LINE } from "./heading_sizes.js";
import { put } from "./headings.js";
import { LANE, LANE_ENDS, LANE_GAP } from "./plan.js";
import { whichWord } from "./thread_words.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Lane, LanesEntry, WholeEntry} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Placeable} from "./labels.js"
 * @import {Plan} from "./plan.js"
 */

/** Letters: CSS px, `share` of a row's height, and that share (`fills`) up to the legible size. */
const SIZE = { least: 11, legible: 11.5, most: 15, share: 0.72, fills: 0.95 };
const BOLD = 650; // font weight of an emphasized word; every word reserves its width
const PADDED = 10; // CSS px of padding of a word
const LETTERS = 0.57; // height of the letters, as a share of a line
const STRONG = 0.6; // strength from which a word is emphasized
const LEAST_CHANGE = 0.002; // change of a strength after which the shown words are chosen again
const AWAY = 5; // least CSS px from the lanes
const STICKS = 6; // CSS px from the edge of the view
const CUT = 2; // CSS px of a word's letters that an edge of the view may cut off
const FIRST = 10; // priority, above that of headings
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };
const LEFT_OUT = "Not every row has room for its word: zoom in";

/**
 * @typedef {object} Word
 * @property {HTMLButtonElement} el
 * @property {Lane} lane
 * @property {number} y in units
 * @property {number} strength of its emphasis, 0 … 1
 * @property {Box} box of its letters, CSS px of the view
 *
 * @typedef {Word & {right: string[]}} Written `right`: the sentence's word, and other correct ones
 */

export class LaneWords {
  /** @param {() => string} font family of text @param {(lane: Lane) => void} follow */
  constructor(font, follow) {
    this.font = font;
    this.follow = follow;
    this.words = /** @type {Word[]} */ ([]);
    this.written = /** @type {Written[]} */ ([]);
    this.ends = { left: 0, right: 0 };
    this.first = /** @type {Lane | null} */ (null); // preferred at equal strength
    this.isThinned = false; // whether some words have no room
    this.left = 0; // right end of the read words, CSS px
    /** Notes that some words have no room, one per stack. */
    this.notes = /** @type {{el: HTMLElement, y: number}[]} */ ([]);
    this.writtenFrom = /** @type {Float32Array | null} */ (null); // the probabilities last written
    this.newRows = /** @type {number[]} */ ([]); // rows whose written word the last edit changed
  }

  get all() {
    return [...this.words, ...this.written];
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    this.words = [];
    this.written = [];
    this.notes = [];
    this.writtenFrom = null;
    const { stacks } = entry;
    for (const [at, { stack, words, right }] of stacks.entries()) {
      const lanes = plan.lanes.get(stack);
      if (!lanes) continue;
      const note = make("div", { class: "left-out", title: inUnits(LEFT_OUT), hidden: true }, "⋮");
      this.notes.push({ el: note, y: lanes.top + words.length * LANE });
      for (const index of words.keys()) {
        const y = lanes.top + index * LANE + (LANE - LANE_GAP) / 2;
        const lane = { stack, index };
        const [onclick, type] = [() => this.follow(lane), "button"];
        const el = make("button", { type, class: "word", "aria-pressed": "false", onclick });
        nameWord(el, stacks[at], index);
        Object.assign(el.dataset, { stack: at, row: index });
        this.words.push({ el, lane, y, box: NOWHERE, strength: 0 });
        if ((right[index] ?? null) === null) continue;
        const title = inUnits("Follow what writes this word through the model");
        const part = { class: "written", "data-part": "row" };
        const out = make("button", { type, title, onclick, ...part });
        Object.assign(out.dataset, { stack: at, row: index });
        const known = rightWords(stacks[at], index);
        this.written.push({ el: out, right: known, lane, y, box: NOWHERE, strength: 0 });
      }
    }
    const lanes = [...plan.lanes.values()];
    this.ends = {
      left: Math.min(...lanes.map(({ left }) => left)),
      right: Math.max(...lanes.map(({ right }) => right)),
    };
    this.markNew(this.newRows);
  }

  /** @param {number[]} rows whose written word the last edit changed */
  markNew(rows) {
    this.newRows = rows;
    for (const { el, lane } of this.written) el.classList.toggle("new", rows.includes(lane.index));
  }

  /**
   * Marks only the written word that the explained edit has changed.
   * @param {Lane | null} lane null: no edit is explained
   */
  markChanged(lane) {
    for (const { el } of this.all) el.classList.toggle("traced", lane !== null);
    for (const { el, lane: own } of this.written)
      el.classList.toggle("changed", isSameLane(own, lane));
  }

  /** Replaces the words of the same lanes. @param {WholeEntry} entry */
  rename({ stacks }) {
    const byStack = new Map(stacks.map((lanes) => [lanes.stack, lanes]));
    for (const { el, lane } of this.words) {
      const lanes = byStack.get(lane.stack);
      if (lanes) nameWord(el, lanes, lane.index);
    }
    for (const each of this.written) {
      const lanes = byStack.get(each.lane.stack);
      if (lanes) each.right = rightWords(lanes, each.lane.index);
    }
    this.writtenFrom = null;
  }

  /** The unscaled width of a word in CSS px, when emphasized. @param {Word} word */
  widthOf({ el }) {
    return textWidth(el.textContent ?? "", `${BOLD} ${BASE}px ${this.font()}`) + PADDED;
  }

  /**
   * Moves all words to the positions of their lanes in the view.
   * @param {Camera} camera
   * @returns {number} the width that words take when pinned at the left edge, in CSS px
   */
  place(camera) {
    const { across: zoom, down: tall } = scales(camera);
    const away = Math.max(LANE_ENDS * zoom, AWAY);
    const left = (this.ends.left - camera.x) * zoom - away;
    const right = (this.ends.right - camera.x) * zoom + away;
    const row = LANE * tall;
    const legible = Math.min(SIZE.legible, row * SIZE.fills);
    const text = Math.max(SIZE.least, legible, Math.min(SIZE.most, row * SIZE.share)) / BASE;
    const room = Math.max(56, 84 * zoom, Math.min(84, left - STICKS));
    const all = this.all.map((word) => {
      const wide = this.widthOf(word);
      const scale = Math.max(SIZE.least / BASE, Math.min(text, room / wide));
      return { word, scale, wide: wide * scale, isWritten: word.el.matches(".written") };
    });
    const most = Math.max(0, ...all.map((each) => (each.isWritten ? 0 : each.wide)));
    const sticks = left - most < STICKS;
    const gutter = sticks ? most + 2 * STICKS : 0;
    for (const { word, scale, wide, isWritten } of all) {
      const { el, y } = word;
      el.classList.toggle("sticks", sticks && !isWritten);
      const middle = placeDown(camera, y);
      const end = sticks ? STICKS + most : left;
      const high = LINE * scale * LETTERS;
      const x = isWritten ? right : end - wide;
      const pad = (PADDED * scale) / 2;
      word.box = { x: x + pad, y: middle - high / 2, width: wide - 2 * pad, height: high };
      put(el, isWritten ? x : end, middle - (LINE * scale) / 2, scale);
    }
    this.left = left;
    // The width grows from 0, up to its full size when the words begin to cover the picture.
    return gutter * Math.min(1, Math.max(0, (gutter - STICKS - left) / away));
  }

  /** If not all words have room, the least emphasized are omitted. @returns {Placeable[]} */
  labels() {
    this.isThinned = false;
    return this.all.map((word, k) => ({
      ...{ key: `word ${k}`, places: [word.box], priority: FIRST + this.rank(word) },
      avoids: "labels",
      show: (at) => {
        word.el.classList.toggle("crowded", at === undefined);
        this.isThinned ||= at === undefined;
      },
    }));
  }

  /**
   * Hides words under the pinned headings and words cut by an edge of the view, and shows the notes
   * if words are left out.
   * @param {Camera} camera @param {number} bottom of pinned headings, CSS px @param {Size} view
   */
  cover(camera, bottom, view) {
    for (const { el, y, box } of this.all) {
      const isUnder = bottom > 0 && placeDown(camera, y) < bottom;
      const isCut = box.y < -CUT || box.y + box.height > view.height + CUT;
      el.classList.toggle("covered", isUnder || isCut);
    }
    for (const { el, y } of this.notes) {
      el.hidden = !this.isThinned;
      const x = Math.max(STICKS, this.left - LINE);
      el.style.transform = `translate(${x}px, ${placeDown(camera, y)}px)`;
    }
  }

  /** The priority among words. @param {Word} word */
  rank({ el, lane, strength }) {
    if (el.getAttribute("aria-pressed") === "true") return 2;
    return isSameLane(lane, this.first) ? 1.5 : strength;
  }

  /**
   * Shows the word that the model would write now at each lane's end. Words that differ from the
   * sentence are marked, except during training, when they change all the time.
   * @param {MatrixStore} store @param {boolean} trains
   * @returns {boolean} whether any word has changed
   */
  write(store, trains) {
    const { values = null } = probabilitiesOf(store) ?? {};
    if (values === this.writtenFrom) return false;
    this.writtenFrom = values;
    let isOther = false;
    for (const { el, lane, right } of this.written) {
      const word = likeliestWords(store, lane.index, 1)?.best.at(0)?.word;
      if (word === undefined) continue;
      el.classList.toggle("other", !trains && !right.includes(word));
      const text = tokenText(word);
      if (el.textContent === text) continue;
      setText(el, text);
      el.setAttribute("aria-label", `writes ${text}: follow what writes it`);
      isOther = true;
    }
    return isOther;
  }

  /**
   * Shows the typed part of the word that a lane writes, and hides later words.
   * @param {Lane | null} lane null: all are written
   * @param {number} share typed part of its word
   */
  type(lane, share) {
    const isLater = (/** @type {Lane} */ { stack, index }) =>
      lane !== null && stack === lane.stack && index > lane.index;
    for (const { el, lane: own } of this.words) el.classList.toggle("unwritten", isLater(own));
    for (const { el, lane: own } of this.written) {
      const isIt = isSameLane(own, lane) && share < 1;
      el.classList.toggle("unwritten", isLater(own) || (isIt && share <= 0));
      el.classList.toggle("typing", isIt && share > 0);
      if (isIt) el.style.setProperty("--typed", `${((1 - share) * 100).toFixed(1)}%`);
    }
  }

  /** The words that the lanes write now, in lane order. */
  texts() {
    return this.written.map(({ el }) => el.textContent ?? "");
  }

  /**
   * The change of a written word since `before`, with the row that writes it, such as
   * ``after “chat”: noir → est``; empty if there is none.
   * @param {string[]} before earlier `texts` @param {number} row whose word is preferred
   */
  rewritten(before, row) {
    const changed = this.written
      .map(({ el, lane }, k) => ({ lane, was: before[k], now: el.textContent }))
      .filter(({ was, now }) => was !== now);
    const found = changed.find(({ lane }) => lane.index === row) ?? changed.at(0);
    if (!found) return "";
    const { stack, index } = found.lane;
    const read = this.words.filter(({ lane }) => lane.stack === stack);
    const word = whichWord(
      read.map(({ el }) => el.textContent ?? ""),
      index,
    );
    return `${stack === "encoder" ? "at" : "after"} ${word}: ${found.was} → ${found.now}`;
  }

  /** @param {Lane | null} lane that is followed */
  press(lane) {
    for (const { el, lane: own } of this.words)
      el.setAttribute("aria-pressed", String(isSameLane(own, lane)));
    for (const { el, lane: own } of this.written)
      el.classList.toggle("followed", isSameLane(own, lane));
  }

  /** @param {Lane | null} lane of the number under the pointer */
  point(lane) {
    for (const { el, lane: own } of this.words)
      el.classList.toggle("pointed", isSameLane(own, lane));
  }

  /**
   * Emphasizes words with their rows, and dims the others.
   * @param {(lane: Lane, end: "read" | "written") => number | null} strengthOf 0 … 1; null: nothing
   *   is emphasized
   * @param {Lane | null} first the lane whose word is read most, or null
   * @returns {boolean} whether the shown words have to be chosen again
   */
  emphasize(strengthOf, first) {
    let isOther = !isSameLane(first, this.first);
    this.first = first;
    /** @param {Word} word @param {number | null} found */
    const show = (word, found) => {
      const { el } = word;
      const now = found ?? 0;
      if (Math.abs(word.strength - now) >= LEAST_CHANGE) isOther = true;
      word.strength = now;
      el.classList.toggle("strong", found !== null && found >= STRONG);
      el.classList.toggle("quiet", found !== null && found < STRONG);
    };
    for (const word of this.words) show(word, strengthOf(word.lane, "read"));
    for (const word of this.written) show(word, strengthOf(word.lane, "written"));
    return this.isThinned && isOther;
  }
}

/** @param {HTMLElement} el @param {LanesEntry} lanes @param {number} index */
export function nameWord(el, { title, words, names }, index) {
  const word = words[index];
  setText(el, word || "∅");
  setAttribute(el, "aria-label", `Follow ${names[index]}, ${title.toLowerCase()}`);
  setAttribute(el, "title", `Follow “${word}”, which is read here, through the model`);
}

/** The sentence's word and other correct ones. @param {LanesEntry} lanes @param {number} index */
const rightWords = ({ right, allowed }, index) => [right[index] ?? "", ...(allowed[index] ?? [])];
