/** The words at the ends of the lanes: read at the left, what would be written at the right. */

import { make, setText } from "../../shared/dom.js";
import { likeliestWords, probabilitiesOf } from "../stages/next_tokens.js";
import { scales } from "./camera.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Lane, WholeEntry} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Plan} from "./plan.js"
 */

/** What all are set in, in CSS px; they are scaled from there. */
const BASE = 13;
const LINE = 20;
const SIZE = { least: 7.5, most: 14, share: 0.64 };
const STRONG = 0.6; // strength from which a word stands out
const STICKS = 6; // CSS px from the edge of the view
const APART = 9; // CSS px between two words that are both shown

/**
 * @typedef {{el: HTMLButtonElement, lane: Lane, y: number, wide: number}} Word y in units, wide in
 *   CSS px as it is set
 * @typedef {Word & {right: string}} Written with the word of the sentence
 */

export class LaneWords {
  /** @param {(lane: Lane) => void} follow */
  constructor(follow) {
    this.follow = follow;
    this.words = /** @type {Word[]} */ ([]);
    this.written = /** @type {Written[]} */ ([]);
    this.ends = { left: 0, right: 0 };
    this.every = 1; // of so many words one is shown: the others would lie over each other
    this.writtenFrom = /** @type {Float32Array | null} */ (null); // the probabilities
  }

  get all() {
    return [...this.words, ...this.written];
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    this.words = [];
    this.written = [];
    this.every = 1;
    this.writtenFrom = null;
    for (const { stack, title, words, names, right } of entry.stacks) {
      const lanes = plan.lanes.get(stack);
      if (!lanes) continue;
      words.forEach((word, index) => {
        const y = lanes.top + index * LANE + (LANE - LANE_GAP) / 2;
        const lane = { stack, index };
        const el = make(
          "button",
          {
            type: "button",
            class: "word",
            "aria-pressed": "false",
            "aria-label": `Follow ${names[index]}, ${title.toLowerCase()}`,
            title: right[index]
              ? `Follow “${word}” through the model: it is read here, and “${right[index]}” written`
              : `Follow “${word}” through the model`,
            onclick: () => this.follow(lane),
          },
          word || "∅",
        );
        this.words.push({ el, lane, y, wide: 1 });
        if (index >= right.length) return;
        const out = make("button", {
          type: "button",
          class: "written",
          title: "Follow what writes this word through the model",
          onclick: () => this.follow(lane),
        });
        this.written.push({ el: out, right: right[index], lane, y, wide: 1 });
      });
    }
    const lanes = [...plan.lanes.values()];
    this.ends = {
      left: Math.min(...lanes.map(({ left }) => left)),
      right: Math.max(...lanes.map(({ right }) => right)),
    };
  }

  measure() {
    for (const each of this.all) each.wide = Math.max(1, each.el.offsetWidth);
  }

  /**
   * @param {Camera} camera
   * @returns {number} what words that stay at the left edge take there, in CSS px
   */
  place(camera) {
    const { across: zoom, down: tall } = scales(camera);
    const left = (this.ends.left - 8 - camera.x) * zoom;
    const right = (this.ends.right + 8 - camera.x) * zoom;
    const text = Math.max(SIZE.least, Math.min(SIZE.most, LANE * tall * SIZE.share)) / BASE;
    const room = Math.max(56, 84 * zoom);
    this.thin(Math.ceil(APART / (LANE * tall)));
    let gutter = 0;
    for (const { el, y, wide } of this.words) {
      if (isCrowded(el)) continue;
      const scale = Math.min(text, room / wide);
      const across = wide * scale;
      const sticks = left - across < STICKS;
      if (sticks) gutter = Math.max(gutter, across + 2 * STICKS);
      el.classList.toggle("sticks", sticks);
      const at = (y - camera.y) * tall - (LINE * scale) / 2;
      put(el, sticks ? STICKS : left - across, at, scale);
    }
    for (const { el, y, wide } of this.written) {
      if (isCrowded(el)) continue;
      const scale = Math.min(text, room / wide);
      put(el, right, (y - camera.y) * tall - (LINE * scale) / 2, scale);
    }
    // It begins to cover what is there only when the words do.
    return Math.min(gutter, Math.max(0, gutter - left));
  }

  /** Words go under what stays at the upper edge. @param {Camera} camera @param {number} bottom */
  cover(camera, bottom) {
    const { down: tall } = scales(camera);
    for (const { el, y } of this.all)
      el.classList.toggle("covered", bottom > 0 && (y - camera.y) * tall < bottom);
  }

  /**
   * Show one of so many words: those that stand out first, and the others where they have room.
   * @param {number} every
   */
  thin(every) {
    if (every === this.every) return;
    this.every = every;
    for (const of of [this.words, this.written]) {
      const byStrength = [...of].sort((a, b) => strength(b) - strength(a));
      const shown = /** @type {Lane[]} */ ([]);
      for (const { el, lane } of byStrength) {
        const isNear = (/** @type {Lane} */ other) =>
          other.stack === lane.stack && Math.abs(other.index - lane.index) < every;
        const isCrowded = shown.some(isNear);
        if (!isCrowded) shown.push(lane);
        el.classList.toggle("crowded", isCrowded);
      }
    }
  }

  /**
   * What the model would write now at each lane's end.
   * @param {MatrixStore} store
   * @returns {Written[]} those that are another
   */
  write(store) {
    const { values = null } = probabilitiesOf(store) ?? {};
    if (values === this.writtenFrom) return [];
    this.writtenFrom = values;
    return this.written.filter(({ el, lane, right }) => {
      const word = likeliestWords(store, lane.index, 1)?.best.at(0)?.word;
      if (word === undefined || el.textContent === (word || "∅")) return false;
      setText(el, word || "∅");
      el.classList.toggle("other", word !== right);
      el.setAttribute("aria-label", `writes ${word || "∅"}: follow what writes it`);
      return true;
    });
  }

  /** @param {Lane | null} lane that is followed */
  press(lane) {
    for (const { el, lane: own } of this.words) {
      const isIt = lane !== null && own.stack === lane.stack && own.index === lane.index;
      el.setAttribute("aria-pressed", String(isIt));
    }
  }

  /**
   * Let words stand out with their rows, and the others step back.
   * @param {(lane: Lane, end: "read" | "written") => number | null} strengthOf 0 … 1; null: nothing
   *   stands out
   * @returns {boolean} whether others may have to be shown
   */
  emphasize(strengthOf) {
    let isOther = false;
    /** @param {HTMLElement} el @param {number | null} found */
    const show = (el, found) => {
      const now = `${(found ?? 0).toFixed(1)}`;
      if (el.dataset.strength !== now) isOther = true;
      el.dataset.strength = now;
      el.classList.toggle("strong", found !== null && found >= STRONG);
      el.classList.toggle("quiet", found !== null && found < STRONG);
    };
    for (const { el, lane } of this.words) show(el, strengthOf(lane, "read"));
    for (const { el, lane } of this.written) show(el, strengthOf(lane, "written"));
    if (this.every <= 1 || !isOther) return false;
    this.every = 0; // which are shown is chosen anew
    return true;
  }
}

/** How much a word stands out, 0 … 1. @param {Word} word */
const strength = ({ el }) => Number(el.dataset.strength ?? 0);

/**
 * Not shown for want of room, nor followed, nor reached by the keyboard.
 * @param {HTMLElement} el
 */
const isCrowded = (el) =>
  el.classList.contains("crowded") &&
  el.getAttribute("aria-pressed") !== "true" &&
  !el.matches(":focus");

/** @param {HTMLElement} el @param {number} x @param {number} y @param {number} scale */
function put(el, x, y, scale) {
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
