/**
 * Ready pictures of the parts of numbers. Copying a small picture is several times faster than
 * setting text, and a number needs only two of a few hundred. All sizes here are device pixels, so
 * that copies land on whole pixels and stay crisp.
 */

import { make } from "../../shared/dom.js";
import {
  EXPONENT,
  FRACTION,
  headText,
  TENTHS,
  tailText,
  WHOLE,
} from "../../shared/number_format.js";
import { contextOf } from "./near_canvas.js";

const SHEET = 1024;
/** px of a cell beside its number; and into how much less than they take digits are squeezed. */
const MARGIN = 4.5;
const SQUEEZE = 0.9;
/** Fewer characters say nothing of a number with a sign and a point. */
const FEWEST = 4;

/**
 * @import {Theme} from "./color.js"
 * @import {CellStyle} from "./layout.js"
 */

/**
 * @typedef {{x: number, y: number, w: number, h: number, dy: number}} Sprite dy: from the middle of
 *   the line
 */

export class Sprites {
  /**
   * @param {Theme} theme
   * @param {CellStyle} style
   * @param {number} ratio device pixels a CSS pixel
   * @param {boolean} scientific whether numbers have an exponent
   */
  constructor(theme, style, ratio, scientific) {
    this.theme = theme;
    this.style = style;
    this.ratio = ratio;
    this.sheet = make("canvas", { width: SHEET, height: SHEET });
    this.ctx = contextOf(this.sheet);
    this.x = this.y = this.rowHeight = 0;
    /** @type {Map<number, Sprite>[]} by ink */
    this.heads = [new Map(), new Map(), new Map()];
    /** @type {Map<number, Sprite>[]} */
    this.tails = [new Map(), new Map(), new Map()];
    const room = (style.cell - MARGIN) * ratio;
    /** Of a digit, with the squeeze. */
    this.digit = this.width("8", style.head);
    /** How many characters of a decimal a cell has room for. */
    this.characters = FEWEST;
    let usual;
    if (scientific) {
      usual =
        this.width("−8.8", style.head) +
        (style.mode === "line" ? this.width("e−8", style.tail) : 0);
    } else {
      const fit = Math.floor(room / this.digit);
      const squeezed = (FEWEST + 1) * this.digit * SQUEEZE <= room ? FEWEST + 1 : FEWEST;
      this.characters = Math.max(fit, squeezed);
      usual = this.characters * this.digit;
    }
    // Fonts differ in width: set a little narrower rather than let neighbors run into each other.
    this.narrow = Math.min(1, room / usual);
    this.digit *= this.narrow;
    this.warm(scientific);
  }

  clear() {
    this.ctx.clearRect(0, 0, SHEET, SHEET);
    this.x = this.y = this.rowHeight = 0;
    for (const sprites of [...this.heads, ...this.tails]) sprites.clear();
  }

  /** @param {string} text @param {number} size */
  width(text, size) {
    this.ctx.font = `${size * this.ratio}px ${this.theme.fontNumber}`;
    return this.ctx.measureText(text).width;
  }

  /**
   * Drawing into the sheet between copies out of it makes the browser duplicate it, so the usual
   * parts come first.
   */
  warm(/** @type {boolean} */ scientific) {
    for (const ink of [0, 1]) {
      if (scientific) {
        for (let n = 10; n < 100; n++) {
          this.head(TENTHS + n, ink);
          this.head(TENTHS - n, ink);
        }
        for (let e = -9; e < 4; e++) this.tail(EXPONENT + e, ink);
      } else {
        for (let n = -9; n < 10; n++) this.head(WHOLE + n, ink);
        for (let n = 0; n < 100; n++) this.tail(FRACTION + n, ink);
      }
    }
  }

  /** @param {number} code @param {number} ink */
  head(code, ink) {
    return (
      this.heads[ink].get(code) ||
      this.draw(this.heads[ink], code, headText(code), this.style.head, ink, false)
    );
  }

  /** @param {number} code @param {number} ink */
  tail(code, ink) {
    const fraction = code >= FRACTION;
    return (
      this.tails[ink].get(code) ||
      this.draw(
        this.tails[ink],
        code,
        tailText(code),
        fraction ? this.style.head : this.style.tail,
        ink,
        !fraction,
      )
    );
  }

  /**
   * @param {Map<number, Sprite>} cache @param {number} code @param {string} text
   * @param {number} size @param {number} ink @param {boolean} exponent
   */
  draw(cache, code, text, size, ink, exponent) {
    const { ctx, ratio } = this;
    const font = `${size * ratio}px ${this.theme.fontNumber}`;
    ctx.font = font;
    const w = Math.ceil(ctx.measureText(text).width * this.narrow) + 1;
    const h = Math.ceil(size * ratio * 1.3);
    if (this.x + w > SHEET) {
      this.x = 0;
      this.y += this.rowHeight;
      this.rowHeight = 0;
    }
    if (this.y + h > SHEET) {
      // full: begin anew, what is needed comes back by itself
      this.clear();
      ctx.font = font;
    }
    ctx.textBaseline = "alphabetic";
    ctx.fillStyle = this.theme.inks[ink];
    // The exponent steps back a little: the mantissa is what the eye should catch.
    ctx.globalAlpha = exponent ? 0.86 : 1;
    ctx.setTransform(this.narrow, 0, 0, 1, this.x, this.y);
    ctx.fillText(text, 0, Math.round(size * ratio));
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    const raised = exponent && this.style.mode === "line";
    // Digits are about 0.72 of their font size tall; their middle goes to the middle of the line.
    const baseline =
      Math.round((raised ? this.style.head : size) * ratio * 0.36) -
      (raised ? Math.round(4 * ratio) : 0);
    const sprite = { x: this.x, y: this.y, w, h, dy: baseline - Math.round(size * ratio) };
    this.x += w + 1;
    this.rowHeight = Math.max(this.rowHeight, h + 1);
    cache.set(code, sprite);
    return sprite;
  }
}
