/**
 * Paints a matrix with numbers in its cells, in device pixels. A cell is repainted only if its
 * shade, text, marks or strength differ from those on the canvas.
 */

import {
  codes,
  FRACTION,
  FRACTION_1,
  hasPoint,
  isAligned,
} from "../../components/shared/number_format.js";
import {
  CHANGED,
  COVERED,
  COVERED_SIGN,
  DROPPED,
  MASKED,
  REACH_LEVELS,
  REACHED,
  reachOf,
} from "../data/flags.js";
import { shadeOf } from "./color.js";

/**
 * @import {NumberCodes, NumberFormat} from "../../components/shared/number_format.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {Theme} from "./color.js"
 * @import {CellStyle} from "./layout.js"
 * @import {Sprite, Sprites} from "./sprites.js"
 */

/**
 * @typedef {object} Surface the canvas for the cells, and the layout of the cells
 * @property {CanvasRenderingContext2D} ctx
 * @property {Theme} theme
 * @property {CellStyle} geometry
 * @property {number} ratio device pixels per CSS pixel
 * @property {Int32Array} xs left edges of the columns, and the right edge of the last, in device px
 * @property {Int32Array} ys top edges of the rows, and the bottom edge of the last, in device px
 * @property {number} [rowGap] device px between rows; one CSS px by default
 * @property {number} [gapFrom] the least width of a cell, in CSS px, for gaps between cells
 * @property {number} dx horizontal scroll offset, in device px
 * @property {number} dy
 * @property {readonly [top: number, bottom: number, left: number, right: number]} inSight
 *   cells in the view:
 *   the first row, the row after the last, the first column, the column after the last
 */

/** Half the width of the cross of a masked cell, in CSS px. */
export const CROSS = 3.5;

/**
 * Whether a cell has digits. Unpatched cells, masked weights and covered cells have none.
 * @param {{isShare: boolean}} matrix @param {number} v @param {number} mark flags of the cell
 */
export const hasDigits = ({ isShare }, v, mark) =>
  !(isShare && Number.isNaN(v)) && !(mark & MASKED && Number.isFinite(v)) && mark !== COVERED;

/**
 * Encodes the appearance of a cell as one number, to detect changes.
 * @param {NumberCodes | null} number null if the cell has no digits
 * @param {number} tint @param {number} mark @param {number} strength 0 … 1
 */
function lookOf(number, tint, mark, strength) {
  const ground = (Math.round(255 * strength) * 512 + tint) * 256 + mark;
  if (!number) return ground;
  const { head, tail, last, isTiny } = number;
  const text = (head * 1024 + tail) * 16 + (last && last - FRACTION_1 + 1);
  return (text * 2 + Number(isTiny)) * 2 ** 25 + ground;
}

/** Cells below this strength are so close to the paper color that digits have the ink for paper. */
const DIM = 0.7;
const LEAST_COVER = 0.02; // the least visible opacity
/** The opacity of digits in faint cells: at strength 0, and the increase up to strength 1. */
const FAINT_DIGITS = { least: 0.35, more: 0.75 };

/**
 * @typedef {object} CellText
 * @property {NumberFormat} format the format of numbers
 * @property {Sprites} sprites
 * @property {Float64Array} shown the encoded appearance of each cell on the canvas; see `lookOf`
 * @property {Float32Array | null} [strengths] of each cell, 0 … 1
 */

/**
 * @param {Surface} surface @param {Matrix} matrix
 * @param {Float32Array} values the numbers of the shown plane
 * @param {CellText} text
 */
export function paintCells(surface, matrix, values, text) {
  const { ratio, xs, ys, dx, dy, inSight } = surface;
  const { flags, cols } = matrix;
  const [top, bottom, left, right] = inSight;
  const gap = Math.max(1, Math.floor(ratio));
  const { shown, format, strengths } = text;
  for (let i = top; i < bottom; i++) {
    const y = ys[i] - dy;
    const h = ys[i + 1] - ys[i] - (surface.rowGap ?? gap);
    for (let j = left; j < right; j++) {
      const k = i * cols + j;
      const v = values[k];
      const mark = flags ? flags[k] : 0;
      const tint = shadeOf(matrix, v, mark);
      const number = hasDigits(matrix, v, mark) ? codes(v, format) : null;
      const strength = strengths?.[k] ?? 1;
      const look = lookOf(number, tint, mark, strength);
      if (shown[k] === look) continue;
      shown[k] = look;
      const box = { x: xs[j] - dx, y, w: xs[j + 1] - xs[j] - gap, h };
      paintCell(surface, matrix.entry.editable, text, { number, tint, mark, strength }, box);
    }
  }
}

/**
 * @typedef {{number: NumberCodes | null, tint: number, mark: number, strength: number}} CellLook
 * @typedef {{x: number, y: number, w: number, h: number}} CellBox
 *
 * @param {Surface} surface @param {boolean} editable @param {CellText} text @param {CellLook} look
 * @param {CellBox} box
 */
function paintCell(surface, editable, text, { number, tint, mark, strength }, box) {
  const { ctx, geometry } = surface;
  const { sprites, format } = text;
  paintGround(surface, editable, tint, box);
  if (mark) paintMarks(surface, mark, box.x, box.y, box.w, box.h, number !== null);
  if (strength < 1) paintVeil(surface, strength, box);
  if (!number || strength === 0) return; // at strength 0 the cell is hidden
  const ink = inkOf(surface, number, tint, strength);
  // Paint the number over the veil, so that its digits remain readable.
  if (strength < DIM) ctx.globalAlpha = FAINT_DIGITS.least + FAINT_DIGITS.more * strength;
  if (isAligned(number.head, format)) paintDecimal(ctx, sprites, format, number, ink, box);
  else paintApart(ctx, sprites, geometry.mode, number, ink, box);
  ctx.globalAlpha = 1;
}

/** Fades a cell. @param {Surface} surface @param {number} strength @param {CellBox} box */
function paintVeil({ ctx, theme }, strength, { x, y, w, h }) {
  const cover = theme.coverOf(strength);
  if (cover < LEAST_COVER) return;
  ctx.globalAlpha = cover;
  ctx.fillStyle = theme.paper;
  ctx.fillRect(x, y, w, h);
  ctx.globalAlpha = 1;
}

/**
 * @param {Surface} surface @param {NumberCodes} number @param {number} tint
 * @param {number} strength of the cell
 */
function inkOf({ theme }, { isTiny }, tint, strength) {
  if (strength < DIM) return 0;
  return theme.inksOver(strength, isTiny)[tint];
}

/** @param {Surface} surface @param {boolean} editable @param {number} tint @param {CellBox} box */
function paintGround({ ctx, theme, ratio }, editable, tint, { x, y, w, h }) {
  ctx.fillStyle = theme.ground[tint];
  ctx.fillRect(x, y, w, h);
  if (!editable) return;
  const line = Math.max(1, Math.round(1.6 * ratio));
  ctx.fillStyle = theme.edge[tint];
  ctx.fillRect(x, y + h - line, w, line);
}

/**
 * Paints a number aligned at its decimal point, or at the place of a missing point.
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {NumberFormat} format
 * @param {NumberCodes} number @param {number} ink @param {CellBox} box
 */
function paintDecimal(ctx, sprites, format, { head, tail, last }, ink, { x, y, w, h }) {
  const middle = y + (h >> 1);
  const a = sprites.head(head, ink);
  const { digit } = sprites;
  const start = x + (w - (format.before + format.decimals) * digit) / 2;
  const point = Math.round(start + format.before * digit);
  const end = hasPoint(head) || !format.decimals ? point : Math.round(point - digit);
  copy(ctx, sprites, a, end - a.w + 1, middle);
  if (tail) copy(ctx, sprites, sprites.tail(tail, ink), point, middle);
  if (last) copy(ctx, sprites, sprites.tail(last, ink), Math.round(point + 2 * digit), middle);
}

/**
 * Paints a number centered in its cell, with an exponent if it has one.
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {CellStyle["mode"]} mode
 * @param {Pick<NumberCodes, "head" | "tail">} number @param {number} ink @param {CellBox} box
 */
function paintApart(ctx, sprites, mode, { head, tail }, ink, { x, y, w, h }) {
  const a = sprites.head(head, ink);
  if (!tail) {
    copy(ctx, sprites, a, x + ((w - a.w) >> 1), y + (h >> 1));
    return;
  }
  const b = sprites.tail(tail, ink);
  if (mode === "stack" && tail < FRACTION) {
    copy(ctx, sprites, a, x + ((w - a.w) >> 1), y + Math.round(h * 0.3));
    copy(ctx, sprites, b, x + ((w - b.w) >> 1), y + Math.round(h * 0.7));
    return;
  }
  const start = x + ((w - a.w - b.w) >> 1);
  copy(ctx, sprites, a, start, y + (h >> 1));
  copy(ctx, sprites, b, start + a.w - 1, y + (h >> 1));
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {Sprite} s
 * @param {number} x @param {number} middle y of the middle of the digits
 */
function copy(ctx, sprites, s, x, middle) {
  ctx.drawImage(sprites.sheet, s.x, s.y, s.w, s.h, x, middle + s.dy, s.w, s.h);
}

/**
 * The font size of the sign in a covered cell.
 * @param {number} w @param {number} h of the cell @param {number} ratio device pixels per CSS pixel
 */
export const coveredSize = (w, h, ratio = 1) => Math.min(14 * ratio, 1.3 * w, 0.85 * h);

/**
 * Paints the marks of a cell. A cross marks a masked cell, hatching a cell dropped by dropout, a
 * corner an edited parameter or overridden value, and a frame a reached or found cell.
 * @param {Pick<Surface, "ctx" | "theme" | "ratio">} surface @param {number} mark flags of the cell
 * @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {boolean} [written] whether the cell has digits, which in a masked cell replace the cross
 */
export function paintMarks({ ctx, theme, ratio }, mark, x, y, w, h, written = false) {
  if (mark === COVERED) {
    ctx.fillStyle = theme.ink;
    ctx.font = `700 ${coveredSize(w, h, ratio)}px ${theme.fontNumber}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(COVERED_SIGN, x + w / 2, y + h / 2);
    return;
  }
  if (mark & MASKED && !written) {
    const arm = Math.min(CROSS * ratio, 0.3 * w, 0.3 * h);
    const [middle, center] = [x + w / 2, y + h / 2];
    ctx.strokeStyle = theme.muted;
    ctx.lineWidth = Math.max(1, 1.2 * ratio);
    ctx.beginPath();
    ctx.moveTo(middle - arm, center - arm);
    ctx.lineTo(middle + arm, center + arm);
    ctx.moveTo(middle + arm, center - arm);
    ctx.lineTo(middle - arm, center + arm);
    ctx.stroke();
  }
  if (mark & DROPPED && !(mark & MASKED)) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, w, h);
    ctx.clip();
    ctx.strokeStyle = theme.hatch;
    ctx.globalAlpha = 0.7;
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let s = -h; s < w; s += 5 * ratio) {
      ctx.moveTo(x + s, y + h);
      ctx.lineTo(x + s + h, y);
    }
    ctx.stroke();
    ctx.restore();
  }
  if (mark & REACHED) paintReached({ ctx, theme, ratio }, mark, x, y, w, h);
  if (mark & CHANGED) {
    const side = Math.min(Math.round(6 * ratio), w >> 1);
    ctx.fillStyle = theme.operand;
    ctx.beginPath();
    ctx.moveTo(x + w - side, y);
    ctx.lineTo(x + w, y);
    ctx.lineTo(x + w, y + side);
    ctx.fill();
  }
}

/**
 * Paints the frame of a cell that is reached or found, stronger for a higher level.
 * @param {Pick<Surface, "ctx" | "theme" | "ratio">} surface @param {number} mark flags of the cell
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
export function paintReached({ ctx, theme, ratio }, mark, x, y, w, h) {
  const strength = reachOf(mark) / REACH_LEVELS;
  const least = Math.min(w, h);
  // In a tiny cell the line must not hide the number's color.
  const line = Math.max(1, Math.min(Math.round((0.8 + 1.9 * strength) * ratio), least / 4));
  const { globalAlpha } = ctx;
  ctx.globalAlpha = globalAlpha * (0.25 + 0.75 * strength);
  ctx.strokeStyle = theme.operand;
  ctx.lineWidth = line;
  ctx.strokeRect(x + line / 2, y + line / 2, w - line, h - line);
  ctx.globalAlpha = globalAlpha;
}

/** The size of the square that marks a changed number, in CSS px, for cells of any size. */
const CHANGED_MARK = 4;
/** If more of the cells are changed than this share, marks are smaller, to keep colors visible. */
const CROWDED = 1 / 8;
const CROWDED_MARK = 0.35; // fraction of a cell's side

/** @param {Surface} surface @param {Matrix} matrix */
export function paintChanged(surface, { flags, cols }) {
  if (!flags) return;
  const { ctx, theme, ratio, xs, ys, inSight } = surface;
  const [top, bottom, left, right] = inSight;
  const changed = /** @type {[i: number, j: number][]} */ ([]);
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) if (flags[i * cols + j] & CHANGED) changed.push([i, j]);
  const isCrowded = changed.length > CROWDED * (bottom - top) * (right - left);
  ctx.fillStyle = theme.operand;
  for (const [i, j] of changed) {
    const cell = Math.min(xs[j + 1] - xs[j], ys[i + 1] - ys[i]);
    const most = CHANGED_MARK * ratio;
    const side = isCrowded ? Math.max(1, Math.min(most, CROWDED_MARK * cell)) : most;
    ctx.fillRect((xs[j] + xs[j + 1] - side) / 2, (ys[i] + ys[i + 1] - side) / 2, side, side);
  }
}
