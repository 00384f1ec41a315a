/** An SVG under construction: rectangles, text and formulas, and how far they reach. */

import { textWidth } from "../paint/layout.js";
import { texRuns } from "./tex_text.js";

export const PICTURE_MARGIN = 28;
const MATH_FONT = '"STIX Two Text", "Cambria Math", Cambria, "Liberation Serif", Georgia, serif';

/** As text of an XML file: signs that XML has no room for are left out. @param {string} text */
export const xml = (text) =>
  String(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

export const hundredths = (x) => Math.round(x * 100) / 100;

/** Collects the elements of a picture and how far they reach. */
export class Drawing {
  /** @param {Theme} theme */
  constructor(theme) {
    this.theme = theme;
    this.parts = [];
    this.width = this.height = 0;
  }

  reach(x, y) {
    this.width = Math.max(this.width, x);
    this.height = Math.max(this.height, y);
  }

  rect(x, y, width, height, fill) {
    this.parts.push(
      `<rect x="${hundredths(x)}" y="${hundredths(y)}" width="${hundredths(width)}" height="${hundredths(height)}" fill="${fill}"/>`,
    );
    this.reach(x + width, y + height);
  }

  path(d, attributes) {
    this.parts.push(`<path d="${d}" ${attributes}/>`);
  }

  /** @param {{size: number, family?: string, weight?: number, fill?: string, anchor?: "start"|"middle"|"end", turn?: boolean}} style
   * @returns {number} the width, where it is set from left to right */
  text(
    text,
    x,
    y,
    {
      size,
      family = this.theme.fontText,
      weight = 400,
      fill = this.theme.ink,
      anchor = "start",
      turn = false,
    },
  ) {
    const place = turn
      ? `transform="translate(${hundredths(x)} ${hundredths(y)}) rotate(-90)"`
      : `x="${hundredths(x)}" y="${hundredths(y)}"`;
    const heavy = weight === 400 ? "" : ` font-weight="${weight}"`;
    this.parts.push(
      `<text ${place} font-size="${size}" font-family="${xml(family)}" fill="${fill}" text-anchor="${anchor}"${heavy}>${xml(text)}</text>`,
    );
    const width = textWidth(text, `${weight} ${size}px ${family}`);
    if (!turn && anchor === "start") this.reach(x + width, y + size * 0.3);
    return width;
  }

  /** A formula on one line. @returns {number} its width */
  math(tex, x, y, size, fill = this.theme.ink) {
    let risen = 0,
      width = 0,
      before = 0,
      rest = 0;
    const spans = texRuns(tex).map(({ text, up, size: share, italic, over }) => {
      const dy = hundredths((risen - up) * size),
        height = hundredths(size * share);
      risen = up;
      const own = textWidth(text, `${italic ? "italic " : ""}${height}px ${MATH_FONT}`);
      const dx = over ? -before : rest;
      rest = over ? Math.max(0, before - own) : 0;
      width += dx + own;
      before = own;
      const slant = italic ? ' font-style="italic"' : "",
        move = dx ? ` dx="${hundredths(dx)}"` : "";
      return `<tspan${move} dy="${dy}" font-size="${height}"${slant}>${xml(text)}</tspan>`;
    });
    width += rest;
    this.parts.push(
      `<text x="${hundredths(x)}" y="${hundredths(y)}" font-family="${xml(MATH_FONT)}" fill="${fill}" xml:space="preserve">${spans.join("")}</text>`,
    );
    this.reach(x + width, y + size * 0.4);
    return width;
  }

  /** Words on as many lines as they take. @returns {number} the height */
  paragraph(text, x, y, room, style) {
    const font = `${style.size}px ${this.theme.fontText}`,
      height = style.size * 1.45;
    let line = "",
      count = 0;
    for (const word of text.replaceAll("`", "").split(" ")) {
      if (line && textWidth(`${line} ${word}`, font) > room) {
        this.text(line, x, y + height * ++count - 4, style);
        line = word;
      } else line = line ? `${line} ${word}` : word;
    }
    this.text(line, x, y + height * ++count - 4, style);
    return height * count;
  }

  /** @param {string} title what the picture is called for those who do not see it */
  svg(title) {
    const width = Math.ceil(this.width + PICTURE_MARGIN),
      height = Math.ceil(this.height + PICTURE_MARGIN);
    return {
      width,
      height,
      text:
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
        `<title>${xml(title)}</title><rect width="${width}" height="${height}" fill="#ffffff"/>${this.parts.join("\n")}</svg>\n`,
    };
  }
}
