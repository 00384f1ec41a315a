/** Shows beside each lane the words that the output layer would predict from it at each depth. */

import { make, setText } from "../../components/shared/dom.js";
import { textWidth } from "../paint/layout.js";
import { placeDown, scales } from "./camera.js";
import { BASE, LINE } from "./heading_sizes.js";
import { put } from "./headings.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Placeable, Sight} from "./labels.js"
 * @import {PlacedLens, Plan} from "./plan.js"
 */

const SIZE = { least: 11, most: 14, share: 0.58 }; // CSS px of letters, and share of a lane
const LETTERS = 0.57; // height of the letters, as a share of a line
const PRIORITY = 8.5;

export class LensWords {
  /**
   * @param {MatrixStore} store @param {() => string} font family of text
   * @param {() => void} onTaken called when new words have to be placed
   */
  constructor(store, font, onTaken) {
    this.el = make("div", { class: "lens-words" });
    this.note = make("span", { class: "lens-note", hidden: true }, "zoom in to read");
    this.said = /** @type {Record<string, string[]>} */ ({});
    this.words = /** @type {{el: HTMLElement, placed: PlacedLens, row: number}[]} */ ([]);
    this.store = store;
    this.font = font;
    this.onTaken = onTaken;
  }

  /** @param {Plan | null} plan */
  show(plan) {
    this.note.hidden = true;
    this.words = (plan?.lens ?? []).flatMap((placed) =>
      Array.from({ length: placed.rows }, (_, row) => {
        return { el: make("span", { class: "lens-word" }), placed, row };
      }),
    );
    this.el.replaceChildren(...this.words.map(({ el }) => el));
  }

  /** @param {Record<string, string[]>} said path -> a word for each row */
  take(said) {
    this.said = said;
    this.onTaken();
  }

  /**
   * The labels of all words; the words of one column are shown all or not at all. In a film no
   * words are shown, since not all rows are written.
   * @param {Sight} sight @returns {Placeable[]}
   */
  labels({ camera }) {
    const isFilmed = document.documentElement.dataset.film !== undefined;
    const { across, down } = scales(camera);
    const text = Math.max(SIZE.least, Math.min(LANE * down * SIZE.share, SIZE.most)) / BASE;
    this.note.hidden = !this.words.length || isFilmed;
    return this.words.map(({ el, placed, row }, k) => {
      // For a large matrix, its overview is placed: the path then has a suffix.
      const [path] = this.store.byIndex[placed.index].path.split("@");
      setText(el, this.said[path]?.[row] ?? "");
      const wide = Math.max(1, textWidth(el.textContent ?? "", `italic ${BASE}px ${this.font()}`));
      const scale = Math.max(SIZE.least / BASE, Math.min(text, (placed.room * across) / wide));
      const middle = placeDown(camera, placed.top + row * LANE + (LANE - LANE_GAP) / 2);
      const x = (placed.x - camera.x) * across;
      const height = LINE * scale * LETTERS;
      const box = { x, y: middle - height / 2, width: wide * scale, height };
      return {
        ...{ key: `lens ${k}`, places: isFilmed ? [] : [box], priority: PRIORITY },
        group: `lens ${placed.index}`,
        show: (at) => {
          el.hidden = at === undefined;
          if (el.hidden) return;
          this.note.hidden = true;
          put(el, x, middle - (LINE * scale) / 2, scale);
        },
      };
    });
  }
}
