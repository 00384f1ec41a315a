/** The words that the output would read off the lanes at each depth, beside them. */

import { make, setText } from "../../shared/dom.js";
import { placeDown, scales } from "./camera.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Camera} from "./camera.js"
 * @import {PlacedLens, Plan} from "./plan.js"
 */

const BASE = 13; // what they are set in, in CSS px
const LINE = 20;
const LEAST = 6; // CSS px of their size, below which they cannot be read
const MOST = 1.1;
const SHARE = 0.58; // of a lane's height
const NARROW = 24; // CSS px, in which few words have room

/** @typedef {{el: HTMLElement, placed: PlacedLens, row: number, wide: number}} LensWord */

export class LensWords {
  constructor() {
    this.el = make("div", { class: "lens-words" });
    this.note = make("span", { class: "lens-note", hidden: true }, "zoom in to read");
    this.said = /** @type {Record<string, string[]>} */ ({});
    this.words = /** @type {LensWord[]} */ ([]);
    this.camera = /** @type {Camera | null} */ (null);
    this.store = /** @type {MatrixStore | null} */ (null);
  }

  /** @param {Plan | null} plan */
  show(plan) {
    this.note.hidden = true;
    this.words = (plan?.lens ?? []).flatMap((placed) =>
      Array.from({ length: placed.rows }, (_, row) => {
        const el = make("span", { class: "lens-word" });
        return { el, placed, row, wide: 0 };
      }),
    );
    this.el.replaceChildren(...this.words.map(({ el }) => el));
  }

  /** @param {Record<string, string[]>} said path -> a word for each row */
  take(said) {
    this.said = said;
    if (this.camera && this.store) this.place(this.camera, this.store);
  }

  /** @param {MatrixStore} store */
  write(store) {
    const news = this.words.filter((word) => {
      // Of a large matrix the overview is what is placed.
      const [path] = store.byIndex[word.placed.index].path.split("@");
      const text = this.said[path]?.[word.row] ?? "";
      if (word.wide && word.el.textContent === text) return false;
      setText(word.el, text);
      word.el.hidden = false;
      return true;
    });
    // Hidden with their view they have no widths: 0 has them measured when they are shown.
    const isHidden = news.length > 0 && !this.el.offsetWidth;
    for (const word of news) word.wide = isHidden ? 0 : Math.max(1, word.el.offsetWidth);
  }

  /**
   * In a film, whose rows are not all written, none is shown.
   * @param {Camera} camera @param {MatrixStore} store
   */
  place(camera, store) {
    this.camera = camera;
    this.store = store;
    this.el.hidden = document.documentElement.dataset.film !== undefined;
    if (this.el.hidden) return;
    this.write(store);
    const { across, down } = scales(camera);
    const text = Math.min((LANE * down * SHARE) / BASE, MOST);
    for (const { el, placed, row, wide } of this.words) {
      const scale = Math.min(text, (placed.room * across) / wide);
      el.hidden = scale * BASE < LEAST || placed.room * across < NARROW;
      const middle = placed.top + row * LANE + (LANE - LANE_GAP) / 2;
      const x = (placed.x - camera.x) * across;
      const y = placeDown(camera, middle) - (LINE * scale) / 2;
      const at = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      el.style.transform = `${at} scale(${scale.toFixed(3)})`;
    }
    const { words } = this;
    this.note.hidden = words.length === 0 || words.some(({ el }) => !el.hidden);
  }
}
