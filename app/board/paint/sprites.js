/**
 * Cached images of the parts of numbers. Copying an image is several times faster than drawing
 * text, and numbers consist of only a few hundred parts. All sizes are in device pixels, so that
 * copies are aligned to whole pixels and stay crisp.
 */

import { make } from "../../components/shared/dom.js";
import {
  EXPONENT,
  FRACTION,
  headText,
  TENTHS,
  tailText,
  WHOLE,
} from "../../components/shared/number_format.js";
import { contextOf } from "./near_canvas.js";

const SHEET = 1024;
/** CSS px of a cell beside its number, and the least width of condensed digits, as a fraction. */
const MARGIN = 4.5;
const SQUEEZE = 0.9;
/** The least number of characters for a useful number with a sign and a point. */
const FEWEST = 4;

/**
 * @import {Theme} from "./color.js"
 * @import {CellStyle} from "./layout.js"
 */

/**
 * @typedef {{x: number, y: number, w: number, h: number, dy: number}} Sprite `dy` is relative to
 *   the middle of the line
 */

export class Sprites {
  /**
   * @param {Theme} theme @param {CellStyle} style @param {number} ratio device pixels per CSS pixel
   * @param {boolean} scientific whether numbers have an exponent
   */
  constructor(theme, style, ratio, scientific) {
    this.theme = theme;
    this.style = style;
    this.ratio = ratio;
    this.sheet = make("canvas", { width: SHEET, height: SHEET });
    this.ctx = contextOf(this.sheet);
    this.x = this.y = this.rowHeight = 0;
    /** @type {Map<number, Sprite>[]} for each ink */
    this.heads = [new Map(), new Map(), new Map()];
    /** @type {Map<number, Sprite>[]} */
    this.tails = [new Map(), new Map(), new Map()];
    const width = (style.cell - MARGIN) * ratio;
    /** The width of a condensed digit. */
    this.digit = this.width("8", style.head);
    /** The number of characters of a decimal that fit in a cell. */
    this.characters = FEWEST;
    let usual;
    if (scientific) {
      usual =
        this.width("−8.8", style.head) +
        (style.mode === "line" ? this.width("e−8", style.tail) : 0);
    } else {
      const fit = Math.floor(width / this.digit);
      const squeezed = (FEWEST + 1) * this.digit * SQUEEZE <= width ? FEWEST + 1 : FEWEST;
      this.characters = Math.max(fit, squeezed);
      usual = this.characters * this.digit;
    }
    // Fonts differ in width, so condense the text rather than overlap the neighbors.
    this.narrow = Math.min(1, width / usual);
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

  /** Draws common sprites first: drawing after a copy makes the browser duplicate the sheet. */
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
      // full: start again; sprites are redrawn as they are needed
      this.clear();
      ctx.font = font;
    }
    ctx.textBaseline = "alphabetic";
    ctx.fillStyle = this.theme.inks[ink];
    // The exponent is a little fainter than the mantissa.
    ctx.globalAlpha = exponent ? 0.86 : 1;
    ctx.setTransform(this.narrow, 0, 0, 1, this.x, this.y);
    ctx.fillText(text, 0, Math.round(size * ratio));
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
    const raised = exponent && this.style.mode === "line";
    // Digits are about 0.72 of the font size tall; center them on the line.
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
