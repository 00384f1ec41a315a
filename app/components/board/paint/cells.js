/**
 * Painting a matrix with numbers in its cells. Positions are device pixels. A cell is drawn again
 * only if its shade, its text or its marks differ from what the canvas shows.
 */

import { codes, FRACTION, FRACTION_1, hasPoint, isAligned } from "../../shared/number_format.js";
import {
  CHANGED,
  COVERED,
  COVERED_SIGN,
  DROPPED,
  MASKED,
  OVERRIDDEN,
  REACHED,
  reachOf,
} from "../data/flags.js";
import { shadeOf } from "./color.js";

/**
 * @import {NumberCodes, NumberFormat} from "../../shared/number_format.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {Theme} from "./color.js"
 * @import {CellStyle} from "./layout.js"
 * @import {Sprite, Sprites} from "./sprites.js"
 */

/**
 * @typedef {object} Surface what cells are painted on
 * @property {CanvasRenderingContext2D} ctx
 * @property {Theme} theme
 * @property {CellStyle} geometry
 * @property {number} ratio device pixels a CSS pixel
 * @property {Int32Array} xs left edges of the columns, and the right one of the last; device px
 * @property {Int32Array} ys top edges of the rows, and the bottom one of the last
 * @property {number} [rowGap] device px between two rows; one CSS px if it is not given
 * @property {number} [gapFrom] the width of a cell, in CSS px, from which a picture has gaps
 * @property {number} dx how far the view has scrolled
 * @property {number} dy
 * @property {[top: number, bottom: number, left: number, right: number]} inSight cells in the view:
 *   the first row, the row after the last, the first column, the column after the last
 */

const MOST_REACHED = 7;
/** Half as wide as the cross of a masked cell is; CSS px. */
export const CROSS = 3.5;

/** A share below this is as good as none, and goes without digits. */
const NO_SHARE = 0.005;

/**
 * Whether a cell has digits: a share of next to nothing has none, nor what is not patched, nor a
 * weight that is masked.
 * @param {{isShare: boolean}} matrix @param {number} v @param {number} mark flags of the cell
 */
export const hasDigits = ({ isShare }, v, mark) =>
  !(isShare && (Number.isNaN(v) || (v >= 0 && v < NO_SHARE))) &&
  !(mark & MASKED && Number.isFinite(v)) &&
  mark !== COVERED;

/**
 * One number that says all that can be seen of a cell.
 * @param {NumberCodes | null} number null: without digits
 * @param {number} tint @param {number} mark
 */
function lookOf(number, tint, mark) {
  if (!number) return tint * 256 + mark;
  const { head, tail, last, isTiny } = number;
  const text = (head * 1024 + tail) * 16 + (last && last - FRACTION_1 + 1);
  return ((text * 2 + Number(isTiny)) * 512 + tint) * 256 + mark;
}

/**
 * @typedef {object} CellText
 * @property {NumberFormat} format how numbers are set
 * @property {Sprites} sprites
 * @property {Float64Array} shown what the canvas shows of each cell
 */

/**
 * @param {Surface} surface
 * @param {Matrix} matrix
 * @param {Float32Array} values of the plane that is shown
 * @param {CellText} text
 */
export function paintCells(surface, matrix, values, text) {
  const { ratio, xs, ys, dx, dy, inSight } = surface;
  const { flags, cols } = matrix;
  const [top, bottom, left, right] = inSight;
  const gap = Math.max(1, Math.floor(ratio));
  const { shown, format } = text;
  for (let i = top; i < bottom; i++) {
    const y = ys[i] - dy;
    const h = ys[i + 1] - ys[i] - (surface.rowGap ?? gap);
    for (let j = left; j < right; j++) {
      const k = i * cols + j;
      const v = values[k];
      const mark = flags ? flags[k] : 0;
      const tint = shadeOf(matrix, v, mark);
      const number = hasDigits(matrix, v, mark) ? codes(v, format) : null;
      const look = lookOf(number, tint, mark);
      if (shown[k] === look) continue;
      shown[k] = look;
      const x = xs[j] - dx;
      const w = xs[j + 1] - xs[j] - gap;
      paintGround(surface, matrix.entry.editable, tint, x, y, w, h);
      if (mark) paintMarks(surface, mark, x, y, w, h, number !== null);
      if (number) paintNumber(surface, text, number, tint, x, y, w, h);
    }
  }
}

/**
 * @param {Surface} surface @param {boolean} editable @param {number} tint
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
function paintGround({ ctx, theme, ratio }, editable, tint, x, y, w, h) {
  ctx.fillStyle = theme.ground[tint];
  ctx.fillRect(x, y, w, h);
  if (!editable) return;
  const line = Math.max(1, Math.round(1.6 * ratio));
  ctx.fillStyle = theme.edge[tint];
  ctx.fillRect(x, y + h - line, w, line);
}

/**
 * @param {Surface} surface @param {CellText} text @param {NumberCodes} number @param {number} tint
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
function paintNumber({ ctx, theme, geometry }, { format, sprites }, number, tint, x, y, w, h) {
  const ink = number.isTiny ? theme.quietInkOf[tint] : theme.inkOf[tint];
  if (isAligned(number.head, format)) paintDecimal(ctx, sprites, format, number, ink, x, y, w, h);
  else paintApart(ctx, sprites, geometry.mode, number, ink, x, y, w, h);
}

/**
 * Aligned with the others of its matrix: by the point, or where it would stand.
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {NumberFormat} format
 * @param {NumberCodes} number @param {number} ink
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
function paintDecimal(ctx, sprites, format, { head, tail, last }, ink, x, y, w, h) {
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
 * In the middle of its cell, with an exponent if it has one.
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {CellStyle["mode"]} mode
 * @param {Pick<NumberCodes, "head" | "tail">} number @param {number} ink
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
function paintApart(ctx, sprites, mode, { head, tail }, ink, x, y, w, h) {
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
 * @param {number} x @param {number} middle where the middle of the digits goes
 */
function copy(ctx, sprites, s, x, middle) {
  ctx.drawImage(sprites.sheet, s.x, s.y, s.w, s.h, x, middle + s.dy, s.w, s.h);
}

/**
 * How large the sign of a covered cell is set.
 * @param {number} w @param {number} h of the cell @param {number} ratio px of it a CSS pixel
 */
export const coveredSize = (w, h, ratio = 1) => Math.min(14 * ratio, 1.3 * w, 0.85 * h);

/**
 * A cross: masked. Hatching: dropped by dropout. A corner: edited, or a computed value that is
 * overridden. A frame: what the selected cell reaches.
 * @param {Pick<Surface, "ctx" | "theme" | "ratio">} surface @param {number} mark flags of the cell
 * @param {number} x @param {number} y @param {number} w @param {number} h
 * @param {boolean} [written] whether it has digits, which then say that it is masked
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
  if (mark & REACHED) {
    const strength = reachOf(mark) / MOST_REACHED;
    const line = Math.max(1, Math.round((0.8 + 1.9 * strength) * ratio));
    const { globalAlpha } = ctx;
    ctx.globalAlpha = globalAlpha * (0.25 + 0.75 * strength);
    ctx.strokeStyle = theme.operand;
    ctx.lineWidth = line;
    ctx.strokeRect(x + line / 2, y + line / 2, w - line, h - line);
    ctx.globalAlpha = globalAlpha;
  }
  if (mark & CHANGED) {
    const side = Math.min(Math.round(6 * ratio), w >> 1);
    ctx.fillStyle = mark & OVERRIDDEN ? theme.operand : theme.accent;
    ctx.beginPath();
    ctx.moveTo(x + w - side, y);
    ctx.lineTo(x + w, y);
    ctx.lineTo(x + w, y + side);
    ctx.fill();
  }
}

/** CSS px: a changed number stands out by a square of this size, however small its cell is. */
const CHANGED_MARK = 4;
/** Where more of the cells than this are changed, their marks leave the colors to be seen. */
const CROWDED = 1 / 8;
const CROWDED_MARK = 0.35; // of a cell's side

/** @param {Surface} surface @param {Matrix} matrix */
export function paintChanged(surface, { flags, cols }) {
  if (!flags) return;
  const { ctx, theme, ratio, xs, ys, inSight } = surface;
  const [top, bottom, left, right] = inSight;
  /** @type {[i: number, j: number, mark: number][]} */
  const changed = [];
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const mark = flags[i * cols + j];
      if (mark & CHANGED) changed.push([i, j, mark]);
    }
  const isCrowded = changed.length > CROWDED * (bottom - top) * (right - left);
  for (const [i, j, mark] of changed) {
    const cell = Math.min(xs[j + 1] - xs[j], ys[i + 1] - ys[i]);
    const most = CHANGED_MARK * ratio;
    const side = isCrowded ? Math.max(1, Math.min(most, CROWDED_MARK * cell)) : most;
    ctx.fillStyle = mark & OVERRIDDEN ? theme.operand : theme.accent;
    ctx.fillRect((xs[j] + xs[j + 1] - side) / 2, (ys[i] + ys[i + 1] - side) / 2, side, side);
  }
}
