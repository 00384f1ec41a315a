/** A hint at one number that means the word in focus, until the picture is first touched. */

import { make, setText } from "../../shared/dom.js";
import { decimalText } from "../../shared/number_format.js";
import { scales } from "./camera.js";

/**
 * @import {Tile} from "./tile.js"
 * @import {Camera} from "./camera.js"
 *
 * @typedef {object} HintedCell
 * @property {Tile} tile
 * @property {number} i @property {number} j
 * @property {string} word of the row
 */

const APART = 14; // CSS px between the number and the hint
const LEAST = 220; // CSS px of the picture's height, of which the hint would cover too much

export class DragHint {
  /** @param {HTMLElement} picture a press in it, or a key, ends the hint */
  constructor(picture) {
    this.cell = /** @type {HintedCell | null} */ (null);
    this.isOver = false;
    this.ring = make("div", { class: "hinted" });
    this.first = make("strong");
    this.second = make("span");
    this.text = make("div", { class: "drag-hint", role: "note" }, this.first, this.second);
    this.el = make("div", { class: "hint-layer", hidden: true }, this.ring, this.text);
    const end = () => this.end();
    for (const type of ["pointerdown", "keydown", "wheel"])
      picture.addEventListener(type, end, { capture: true, once: true, passive: true });
  }

  /** @param {HintedCell | null} cell @param {Camera} camera */
  show(cell, camera) {
    if (this.isOver) return;
    this.cell = cell;
    this.el.hidden = !cell;
    if (!cell) return;
    const { tile, i, j, word } = cell;
    const value = tile.matrix.values?.[i * tile.matrix.cols + j] ?? 0;
    const text = decimalText(Number(value.toPrecision(3)));
    setText(this.first, "⟷ Drag me. ");
    const which = `one of the ${tile.matrix.cols} numbers that mean “\u2068${word}\u2069”`;
    setText(this.second, `I am ${which}: ${text}`);
    this.place(camera);
  }

  /** @param {Camera} camera */
  place(camera) {
    if (!this.cell || this.el.hidden) return;
    const { tile, i, j } = this.cell;
    const { x, y, width, height } = tile.boxOf(i, j);
    const [middle, center] = [x + width / 2, y + height / 2];
    this.text.hidden = (this.el.parentElement?.clientHeight ?? 0) < LEAST;
    this.ring.style.transform = `translate(${middle}px, ${center}px)`;
    const below = center + Math.max(APART, 0.5 * scales(camera).down * 22);
    this.text.style.transform = `translate(${middle + APART}px, ${below}px)`;
  }

  end() {
    this.isOver = true;
    this.el.hidden = true;
    this.cell = null;
  }
}
