/** Builds an SVG of rectangles, text and formulas, and tracks its size. */

import { textWidth } from "../paint/layout.js";
import { texRuns } from "./tex_text.js";

/** @import {Theme} from "../paint/color.js" */

export const PICTURE_MARGIN = 28;
const MATH_FONT = '"STIX Two Text", "Cambria Math", Cambria, "Liberation Serif", Georgia, serif';

/** @typedef {{width: number, height: number, text: string}} Svg */

/**
 * @typedef {object} TextStyle
 * @property {number} size
 * @property {string} [family]
 * @property {number} [weight]
 * @property {string} [fill]
 * @property {"start" | "middle" | "end"} [anchor]
 * @property {boolean} [turn] whether the text is rotated to read from bottom to top
 */

/** Escapes text for XML; removes characters that XML forbids. @param {string} text */
export const xml = (text) =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

/** @param {number} x */
export const hundredths = (x) => Math.round(x * 100) / 100;

/** Collects the elements of a picture and tracks its size. */
export class SvgDrawing {
  /** @param {Theme} theme */
  constructor(theme) {
    this.theme = theme;
    /** @type {string[]} */
    this.parts = [];
    this.width = this.height = 0;
  }

  /** @param {string} element SVG source */
  add(element) {
    this.parts.push(element);
  }

  /** @param {number} x @param {number} y */
  reach(x, y) {
    this.width = Math.max(this.width, x);
    this.height = Math.max(this.height, y);
  }

  /**
   * @param {number} x @param {number} y @param {number} width @param {number} height
   * @param {string} fill
   */
  rect(x, y, width, height, fill) {
    const [left, top, w, h] = [x, y, width, height].map(hundredths);
    this.add(`<rect x="${left}" y="${top}" width="${w}" height="${h}" fill="${fill}"/>`);
    this.reach(x + width, y + height);
  }

  /** @param {string} d @param {string} attributes */
  path(d, attributes) {
    this.add(`<path d="${d}" ${attributes}/>`);
  }

  /**
   * @param {string} text @param {number} x @param {number} y @param {TextStyle} style
   * @returns {number} the width of horizontal text
   */
  text(text, x, y, style) {
    const { size, anchor = "start", turn = false, weight = 400 } = style;
    const { family = this.theme.fontText, fill = this.theme.ink } = style;
    const [left, top] = [hundredths(x), hundredths(y)];
    const place = turn
      ? `transform="translate(${left} ${top}) rotate(-90)"`
      : `x="${left}" y="${top}"`;
    const heavy = weight === 400 ? "" : ` font-weight="${weight}"`;
    this.add(
      `<text ${place} font-size="${size}" font-family="${xml(family)}" fill="${fill}" ` +
        `text-anchor="${anchor}"${heavy}>${xml(text)}</text>`,
    );
    const width = textWidth(text, `${weight} ${size}px ${family}`);
    if (!turn && anchor === "start") this.reach(x + width, y + size * 0.3);
    return width;
  }

  /**
   * Draws a formula on one line.
   * @param {string} tex @param {number} x @param {number} y @param {number} size
   * @returns {number} its width
   */
  math(tex, x, y, size) {
    let risen = 0;
    let width = 0;
    let before = 0;
    let rest = 0;
    const spans = texRuns(tex).map(({ text, up, size: share, italic, over }) => {
      const dy = hundredths((risen - up) * size);
      const height = hundredths(size * share);
      risen = up;
      const own = textWidth(text, `${italic ? "italic " : ""}${height}px ${MATH_FONT}`);
      const dx = over ? -before : rest;
      rest = over ? Math.max(0, before - own) : 0;
      width += dx + own;
      before = own;
      const slant = italic ? ' font-style="italic"' : "";
      const move = dx ? ` dx="${hundredths(dx)}"` : "";
      return `<tspan${move} dy="${dy}" font-size="${height}"${slant}>${xml(text)}</tspan>`;
    });
    width += rest;
    this.add(
      `<text x="${hundredths(x)}" y="${hundredths(y)}" font-family="${xml(MATH_FONT)}" ` +
        `fill="${this.theme.ink}" xml:space="preserve">${spans.join("")}</text>`,
    );
    this.reach(x + width, y + size * 0.4);
    return width;
  }

  /**
   * Draws text wrapped to a width of `maxWidth` px.
   * @param {string} text @param {number} x @param {number} y @param {number} maxWidth
   * @param {TextStyle} style @returns {number} the height
   */
  paragraph(text, x, y, maxWidth, style) {
    const font = `${style.size}px ${this.theme.fontText}`;
    const height = style.size * 1.45;
    let line = "";
    let count = 0;
    const end = () => {
      count += 1;
      this.text(line, x, y + height * count - 4, style);
    };
    for (const word of text.replaceAll("`", "").split(" ")) {
      if (line && textWidth(`${line} ${word}`, font) > maxWidth) {
        end();
        line = word;
      } else line = line ? `${line} ${word}` : word;
    }
    end();
    return height * count;
  }

  /** @param {string} title accessible name @returns {Svg} */
  svg(title) {
    const width = Math.ceil(this.width + PICTURE_MARGIN);
    const height = Math.ceil(this.height + PICTURE_MARGIN);
    const text =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img"><title>${xml(title)}</title>` +
      `<rect width="${width}" height="${height}" fill="#ffffff"/>${this.parts.join("\n")}</svg>\n`;
    return { width, height, text };
  }
}
