/** Draws a matrix for a picture: title, labels, and cells with numbers and marks. */

import {
  codes,
  FRACTION,
  hasPoint,
  headText,
  isAligned,
  tailText,
} from "../../components/shared/number_format.js";
import { CHANGED, COVERED, COVERED_SIGN, DROPPED, MASKED } from "../data/flags.js";
import { endOf, isShare, largestOf } from "../data/matrix.js";
import { powerOver } from "../paint/axis_labels.js";
import { CROSS, coveredSize, hasDigits } from "../paint/cells.js";
import { shadeOf } from "../paint/color.js";
import { LABEL_FONT, textWidth } from "../paint/layout.js";
import { hundredths, xml } from "./svg.js";

/**
 * @import {NumberCodes, NumberFormat} from "../../components/shared/number_format.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixEntry} from "../data/types.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {SvgDrawing} from "./svg.js"
 */

const MIDDLE = /** @type {const} */ ("middle");
/** Digits are drawn a little smaller, because the fonts of other computers may be wider. */
const NARROWER = 0.94;
/** The width of a digit relative to the font size. */
const DIGIT = 0.6;
/** The least width of a cell with 5 characters, and the height of a title; px. */
const WIDE_ENOUGH_FOR_5 = 30;
const TITLE = 22;

/**
 * Values that replace those on screen.
 * @typedef {{values: Float32Array, flags: Uint8Array | null, gradients?: Float32Array | null}}
 *   Fresh
 */

/** A matrix as it is drawn: its manifest entry, values and marks. */
export class Shown {
  /**
   * @param {MatrixEntry} entry @param {Matrix} matrix @param {Fresh | undefined} fresh
   * @param {Appearance} appearance @param {string} [note]
   */
  constructor(entry, matrix, fresh, appearance, note = entry.note) {
    // During an oscillation, use the values on screen; otherwise those from Python.
    const of = matrix.frames ? matrix : (fresh ?? matrix);
    const values = of.values ?? new Float32Array(entry.rows * entry.cols).fill(Number.NaN);
    this.weights = values; // links always show weights, even if cells show other numbers
    this.values = values;
    this.flags = of.flags;
    this.entry = { ...entry, note };
    if (appearance.plane === "change") {
      const before = matrix.baseline;
      this.values = values.map((v, k) => {
        if (!before) return Number.NaN;
        return v === before[k] ? 0 : v - before[k];
      });
      this.entry.note = `change since the baseline · ${note || ""}`;
    } else if (appearance.hasSecond) {
      this.values = of.gradients ?? values.map(() => Number.NaN);
      const what = appearance.showsGradients ? "gradient" : "patched from the baseline";
      this.entry.note = `${what} · ${note || ""}`;
    }
    this.appearance = appearance;
    this.isShare = isShare(entry, appearance.plane);
    this.largest = largestOf(this.values);
    this.maximum = appearance.ownScales ? this.largest : endOf(this.isShare);
  }
}

/**
 * @param {SvgDrawing} on @param {Shown} shown @param {Geometry} g @param {number} x
 * @param {number} y
 */
export function drawMatrix(on, shown, g, x, y) {
  const { entry, appearance, maximum } = shown;
  let right = x + on.math(entry.tex, x, y + 15, 16);
  /** @param {string} text shown beside the symbol */
  const add = (text) => {
    right += 8 + on.text(text, right + 8, y + 14, { size: 11, fill: on.theme.muted });
  };
  if (typeof entry.head === "number") add(`head ${entry.head + 1}`);
  add(entry.note ?? "");
  const end = Number(maximum.toPrecision(2));
  if (appearance.ownScales || shown.isShare)
    add(shown.isShare ? `scale 0 to ${end}` : `scale ±${end}`);
  const left = x + g.label;
  const top = y + TITLE + g.top;
  drawLabels(on, entry, g, left, top);
  drawCells(on, shown, g, left, top);
  return { width: Math.max(g.full, right - x), height: TITLE + g.tall };
}

/**
 * @param {SvgDrawing} on @param {MatrixEntry} entry @param {Geometry} g
 * @param {number} left @param {number} top
 */
function drawLabels(on, { row_labels: rows, col_labels: cols }, g, left, top) {
  const { theme } = on;
  const style = { size: LABEL_FONT, fill: theme.muted };
  const font = `${LABEL_FONT}px ${theme.fontText}`;
  const every = powerOver(13 / g.height);
  rows.forEach((label, i) => {
    if (i % every) return;
    on.text(elided(label, font, g.label - 8), left - 7, top + (i + 0.5) * g.height + 4, {
      ...style,
      anchor: "end",
    });
  });
  const skip = powerOver((g.upright ? 12 : 8 + 6 * `${cols.length - 1}`.length) / g.cell);
  cols.forEach((label, j) => {
    if (j % skip) return;
    const middle = left + (j + 0.5) * g.cell;
    if (g.upright)
      on.text(elided(label, font, g.top - 6), middle + 4, top - 5, { ...style, turn: true });
    else on.text(label || "∅", middle, top - 6, { ...style, anchor: "middle" });
  });
}

/** Fits a label to px. @param {string} label @param {string} font @param {number} maxWidth */
function elided(label, font, maxWidth) {
  let text = label || "∅";
  if (textWidth(text, font) <= maxWidth) return text;
  while (text.length > 1 && textWidth(`${text}…`, font) > maxWidth) text = text.slice(0, -1);
  return `${text}…`;
}

/**
 * @param {SvgDrawing} on @param {Shown} shown @param {Geometry} g @param {number} left
 * @param {number} top
 */
function drawCells(on, shown, g, left, top) {
  const { entry, values, flags, appearance } = shown;
  const { theme } = on;
  const gap = g.cell < 8 ? 0 : 1;
  const characters = g.mode === "stack" && g.cell < WIDE_ENOUGH_FOR_5 ? 4 : 5;
  const format = appearance.formatOf(shown, characters);
  const w = g.cell - gap;
  const h = g.height - gap;
  for (let i = 0; i < entry.rows; i++)
    for (let j = 0; j < entry.cols; j++) {
      const k = i * entry.cols + j;
      const mark = flags?.[k] ?? 0;
      const tint = shadeOf(shown, values[k], mark);
      const x = left + j * g.cell;
      const y = top + i * g.height;
      on.rect(x, y, w, h, theme.ground[tint]);
      if (g.mode !== "picture" && entry.editable) on.rect(x, y + h - 1.6, w, 1.6, theme.edge[tint]);
      const written = g.mode !== "picture" && hasDigits(shown, values[k], mark);
      if (written) drawNumber(on, codes(values[k], format), format, tint, g, x + w / 2, y + h / 2);
      if (mark) drawMarks(on, mark, x, y, w, h, written);
    }
}

/**
 * @param {SvgDrawing} on @param {NumberCodes} number @param {NumberFormat} format
 * @param {number} tint @param {Geometry} g @param {number} x of its center
 * @param {number} y of its center
 */
function drawNumber(on, number, format, tint, g, x, y) {
  const ink = on.theme.inks[on.theme.inksOver(1, number.isTiny)[tint]];
  if (isAligned(number.head, format)) drawDecimal(on, number, format, g, x, y, ink);
  else drawApart(on, number, g, x, y, ink);
}

/**
 * Draws a number aligned at the decimal point.
 * @param {SvgDrawing} on @param {NumberCodes} number @param {NumberFormat} format
 * @param {Geometry} g @param {number} x of the middle of the cell @param {number} y
 * @param {string} fill
 */
function drawDecimal(on, { head, tail, last }, { before, decimals }, g, x, y, fill) {
  const family = on.theme.fontNumber;
  const fits = (g.cell - 3) / ((before + decimals) * DIGIT);
  const size = hundredths(Math.min(g.head, fits) * NARROWER);
  const style = { family, fill, size };
  const digit = size * DIGIT;
  const point = x + ((before - decimals) * digit) / 2;
  const whole = headText(head);
  const end = hasPoint(head) || !decimals ? point : point - digit;
  const text = whole + tailText(tail) + tailText(last);
  on.text(text, end - whole.length * digit, y + size * 0.36, style);
}

/**
 * Draws a number centered in its cell, with an exponent if it has one.
 * @param {SvgDrawing} on @param {{head: number, tail: number}} number @param {Geometry} g
 * @param {number} x of its middle @param {number} y of its middle @param {string} fill
 */
function drawApart(on, { head, tail }, g, x, y, fill) {
  const family = on.theme.fontNumber;
  const style = { family, fill, anchor: MIDDLE };
  const main = headText(head);
  const rest = tailText(tail);
  const size = hundredths(g.head * NARROWER);
  const small = hundredths(g.tail * NARROWER);
  if (!rest) on.text(main, x, y + size * 0.36, { ...style, size });
  else if (g.mode === "stack" && tail < FRACTION) {
    on.text(main, x, y - g.height * 0.2 + size * 0.36, { ...style, size });
    on.text(rest, x, y + g.height * 0.2 + small * 0.36, { ...style, size: small });
  } else {
    // Fraction digits have the same size; an exponent is smaller.
    const second = tail < FRACTION ? small : size;
    on.add(
      `<text x="${hundredths(x)}" y="${hundredths(y + size * 0.36)}" font-size="${size}" ` +
        `font-family="${xml(family)}" fill="${fill}" text-anchor="middle">${xml(main)}` +
        `<tspan font-size="${second}">${xml(rest)}</tspan></text>`,
    );
  }
}

/**
 * @param {SvgDrawing} on @param {number} mark flags of the cell
 * @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {boolean} written whether the cell has digits; in a masked cell, these replace the cross
 */
function drawMarks(on, mark, x, y, w, h, written) {
  const { theme } = on;
  if (mark === COVERED) {
    const size = hundredths(coveredSize(w, h));
    const style = { family: theme.fontNumber, fill: theme.ink, size, anchor: MIDDLE };
    on.text(COVERED_SIGN, x + w / 2, y + h / 2 + size * 0.36, style);
    return;
  }
  if (mark & MASKED && !written) {
    const arm = Math.min(CROSS, 0.3 * w, 0.3 * h);
    const [left, top] = [hundredths(x + w / 2 - arm), hundredths(y + h / 2 - arm)];
    const side = hundredths(2 * arm);
    on.path(
      `M${left} ${top}l${side} ${side}m${-side} 0l${side} ${-side}`,
      `stroke="${theme.muted}" stroke-width="1.2" fill="none"`,
    );
  }
  if (mark & DROPPED && !(mark & MASKED)) {
    let d = "";
    for (let s = -h + 5; s < w; s += 5) {
      const from = Math.max(s, 0);
      const to = Math.min(s + h, w);
      const start = `${hundredths(x + from)} ${hundredths(y + h - (from - s))}`;
      d += `M${start}L${hundredths(x + to)} ${hundredths(y + h - (to - s))}`;
    }
    on.path(d, `stroke="${theme.hatch}" stroke-width="1" stroke-opacity="0.7" fill="none"`);
  }
  if (mark & CHANGED) {
    const side = Math.min(6, w / 2);
    const color = theme.operand;
    on.path(`M${hundredths(x + w - side)} ${hundredths(y)}h${side}v${side}z`, `fill="${color}"`);
  }
}
