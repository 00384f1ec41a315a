/**
 * Painting a matrix with numbers in its cells. Positions are device pixels. A cell is drawn again
 * only if its shade, its text or its marks differ from what the canvas shows.
 */

import { codes, DECIMAL, FRACTION, SHORT_DECIMAL } from "../../shared/number_format.js";
import { CHANGED, DROPPED, OVERRIDDEN, REACHED } from "../data/flags.js";
import { shade } from "./color.js";

/**
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
 * @property {number} dx how far the view has scrolled
 * @property {number} dy
 * @property {[top: number, bottom: number, left: number, right: number]} inSight cells in the view:
 *   the first row, the row after the last, the first column, the column after the last
 */

/**
 * @param {Surface} surface
 * @param {Matrix} matrix
 * @param {Float32Array} values of the plane that is shown
 * @param {{notation: number, sprites: Sprites, shown: Float64Array}} text how numbers are set, and
 *   what the canvas shows of each cell
 */
export function paintCells(surface, matrix, values, { notation, sprites, shown }) {
  const { ctx, theme, geometry, ratio, xs, ys, dx, dy, inSight } = surface;
  const { flags, maximum, cols } = matrix;
  const [top, bottom, left, right] = inSight;
  const short = notation === DECIMAL && geometry.mode === "stack" ? SHORT_DECIMAL : notation;
  const gap = Math.max(1, Math.floor(ratio));
  const line = Math.max(1, Math.round(1.6 * ratio));
  const { editable } = matrix.entry;
  for (let i = top; i < bottom; i++) {
    const y = ys[i] - dy;
    const h = ys[i + 1] - ys[i] - gap;
    for (let j = left; j < right; j++) {
      const k = i * cols + j;
      const v = values[k];
      const tint = shade(v, maximum);
      const { head, tail } = codes(v, short);
      const mark = flags ? flags[k] : 0;
      // One number says all that can be seen of a cell.
      const look = ((head * 1024 + tail) * 512 + tint) * 16 + mark;
      if (shown[k] === look) continue;
      shown[k] = look;
      const x = xs[j] - dx;
      const w = xs[j + 1] - xs[j] - gap;
      ctx.fillStyle = theme.ground[tint];
      ctx.fillRect(x, y, w, h);
      if (editable) {
        ctx.fillStyle = theme.edge[tint];
        ctx.fillRect(x, y + h - line, w, line);
      }
      if (mark) paintMarks(surface, mark, x, y, w, h);
      paintNumber(ctx, sprites, geometry.mode, head, tail, theme.inkOf[tint], x, y, w, h);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {Sprites} sprites @param {CellStyle["mode"]} mode
 * @param {number} head code of the first part @param {number} tail code of the second
 * @param {number} ink @param {number} x @param {number} y @param {number} w @param {number} h
 */
function paintNumber(ctx, sprites, mode, head, tail, ink, x, y, w, h) {
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
 * Hatching: dropped by dropout. A corner: edited, or a computed value that is overridden. A frame:
 * what the selected cell reaches.
 * @param {Pick<Surface, "ctx" | "theme" | "ratio">} surface @param {number} mark flags of the cell
 * @param {number} x @param {number} y @param {number} w @param {number} h
 */
export function paintMarks({ ctx, theme, ratio }, mark, x, y, w, h) {
  if (mark & DROPPED) {
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
    const line = Math.max(2, Math.round(1.5 * ratio));
    ctx.strokeStyle = theme.operand;
    ctx.lineWidth = line;
    ctx.strokeRect(x + line / 2, y + line / 2, w - line, h - line);
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
