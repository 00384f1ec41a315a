/** A matrix as part of a picture: its title, its labels, and its cells with numbers and marks. */

import {
  codes,
  DECIMAL,
  FRACTION,
  headText,
  SHORT_DECIMAL,
  tailText,
} from "../../shared/number_format.js";
import { CHANGED, DROPPED, OVERRIDDEN } from "../data/flags.js";
import { FIXED_MAXIMUM } from "../data/matrix.js";
import { step } from "../paint/axis_labels.js";
import { shade } from "../paint/color.js";
import { LABEL_FONT, textWidth } from "../paint/layout.js";
import { hundredths, xml } from "./svg.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixEntry} from "../data/types.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {SvgDrawing} from "./svg.js"
 */

/** Fonts elsewhere may be wider than the screen's. */
const NARROWER = 0.94;
const TITLE = 22;

/**
 * Values of a matrix in place of the screen's.
 * @typedef {{values: Float32Array, flags: Uint8Array | null, gradients?: Float32Array | null}}
 *   Fresh
 */

/** What is drawn of a matrix: its place in the manifest, its values and marks. */
export class Shown {
  /**
   * @param {MatrixEntry} entry @param {Matrix} matrix @param {Fresh | undefined} fresh
   * @param {Appearance} appearance @param {string} [note]
   */
  constructor(entry, matrix, fresh, appearance, note = entry.note) {
    // What swings is taken as it stands on the screen; everything else as the server computed it.
    const of = matrix.frames ? matrix : (fresh ?? matrix);
    const values = of.values ?? new Float32Array(entry.rows * entry.cols).fill(Number.NaN);
    this.weights = values; // links are drawn by them, whatever the cells show
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
    } else if (appearance.showsGradients) {
      this.values = of.gradients ?? values.map(() => Number.NaN);
      this.entry.note = `gradient · ${note || ""}`;
    }
    this.notation = appearance.cellNotation;
    this.maximum = FIXED_MAXIMUM;
    if (appearance.ownScales) this.maximum = largest(this.values);
  }
}

/** The largest finite magnitude. @param {Float32Array} values */
const largest = (values) =>
  values.reduce((most, v) => {
    const size = Math.abs(v);
    return size > most && size < Infinity ? size : most;
  }, 0);

/**
 * @param {SvgDrawing} on
 * @param {Shown} shown
 * @param {Geometry} g
 * @param {number} x
 * @param {number} y
 * @returns {{width: number, height: number}}
 */
export function drawMatrix(on, shown, g, x, y) {
  const { entry, maximum } = shown;
  let right = x + on.math(entry.tex, x, y + 15, 16);
  /** @param {string} text beside the symbol */
  const add = (text) => {
    right += 8 + on.text(text, right + 8, y + 14, { size: 11, fill: on.theme.muted });
  };
  if (typeof entry.head === "number") add(`head ${entry.head + 1}`);
  add(entry.note ?? "");
  if (maximum !== FIXED_MAXIMUM) add(`scale ±${Number(maximum.toPrecision(2))}`);
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
  const every = step(13 / g.height);
  rows.forEach((label, i) => {
    if (i % every) return;
    on.text(elided(label, font, g.label - 8), left - 7, top + (i + 0.5) * g.height + 4, {
      ...style,
      anchor: "end",
    });
  });
  const skip = step((g.upright ? 12 : 8 + 6 * `${cols.length - 1}`.length) / g.cell);
  cols.forEach((label, j) => {
    if (j % skip) return;
    const middle = left + (j + 0.5) * g.cell;
    if (g.upright)
      on.text(elided(label, font, g.top - 6), middle + 4, top - 5, { ...style, turn: true });
    else on.text(label || "∅", middle, top - 6, { ...style, anchor: "middle" });
  });
}

/**
 * As much of a label as there is room for.
 * @param {string} label
 * @param {string} font
 * @param {number} room
 */
function elided(label, font, room) {
  let text = label || "∅";
  if (textWidth(text, font) <= room) return text;
  while (text.length > 1 && textWidth(`${text}…`, font) > room) text = text.slice(0, -1);
  return `${text}…`;
}

/**
 * @param {SvgDrawing} on
 * @param {Shown} shown
 * @param {Geometry} g
 * @param {number} left
 * @param {number} top
 */
function drawCells(on, { entry, values, flags, maximum, notation }, g, left, top) {
  const { theme } = on;
  const gap = g.cell < 8 ? 0 : 1;
  const short = notation === DECIMAL && g.mode === "stack" ? SHORT_DECIMAL : notation;
  const w = g.cell - gap;
  const h = g.height - gap;
  for (let i = 0; i < entry.rows; i++)
    for (let j = 0; j < entry.cols; j++) {
      const k = i * entry.cols + j;
      const tint = shade(values[k], maximum);
      const x = left + j * g.cell;
      const y = top + i * g.height;
      on.rect(x, y, w, h, theme.ground[tint]);
      if (g.mode !== "picture") {
        if (entry.editable) on.rect(x, y + h - 1.6, w, 1.6, theme.edge[tint]);
        const ink = theme.inks[theme.inkOf[tint]];
        drawNumber(on, codes(values[k], short), g, x + w / 2, y + h / 2, ink);
      }
      if (flags?.[k]) drawMarks(on, flags[k], x, y, w, h);
    }
}

/**
 * @param {SvgDrawing} on @param {{head: number, tail: number}} number @param {Geometry} g
 * @param {number} x of its middle @param {number} y of its middle @param {string} fill
 */
function drawNumber(on, { head, tail }, g, x, y, fill) {
  const family = on.theme.fontNumber;
  const style = { family, fill, anchor: /** @type {const} */ ("middle") };
  const main = headText(head);
  const rest = tailText(tail);
  const size = hundredths(g.head * NARROWER);
  const small = hundredths(g.tail * NARROWER);
  if (!rest) on.text(main, x, y + size * 0.36, { ...style, size });
  else if (g.mode === "stack" && tail < FRACTION) {
    on.text(main, x, y - g.height * 0.2 + size * 0.36, { ...style, size });
    on.text(rest, x, y + g.height * 0.2 + small * 0.36, { ...style, size: small });
  } else {
    // A fraction belongs to its whole; an exponent is set smaller.
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
 */
function drawMarks(on, mark, x, y, w, h) {
  const { theme } = on;
  if (mark & DROPPED) {
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
    const color = mark & OVERRIDDEN ? theme.operand : theme.accent;
    on.path(`M${hundredths(x + w - side)} ${hundredths(y)}h${side}v${side}z`, `fill="${color}"`);
  }
}
