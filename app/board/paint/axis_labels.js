/** Row and column labels beside the cells. */

import { firstOf, isIndexLabel, LABEL_FONT } from "./layout.js";

/**
 * @import {Cell, Lane, MatrixEntry} from "../data/types.js"
 * @import {Surface} from "./cells.js"
 * @import {Theme} from "./color.js"
 * @import {Geometry} from "./layout.js"
 */

const LINE_HEIGHT = 14;
/** The font of names in the texts of the page, as in shared/cell_name.css. */
const MATH = "KaTeX_Main, serif";
const LARGER = 2; // CSS px to add, because the letters of this font are small

/** Rounds up to a power of 2, which makes labels easier to count. @param {number} least */
export const powerOver = (least) => 2 ** Math.max(0, Math.ceil(Math.log2(least)));

/**
 * Whether a label is written if only every `every`-th label is. The emphasized label is always
 * written, and labels too close to the emphasized label are not.
 * @param {number} k @param {number} every @param {number | undefined} emphasized
 */
function isWritten(k, every, emphasized) {
  if (k === emphasized) return true;
  return k % every === 0 && (emphasized === undefined || Math.abs(k - emphasized) >= every);
}

/**
 * @param {Surface} surface @param {MatrixEntry} entry @param {Geometry} geometry
 * @param {Cell | null} marked the cell whose labels are emphasized
 * @param {Lane | null} followed the lane of the followed word, whose labels are emphasized
 */
export function paintLabels(surface, entry, geometry, marked, followed) {
  const { ctx, theme, ratio, xs, ys, dx, dy, inSight } = surface;
  const { row_labels: rows, col_labels: cols } = entry;
  const [above, before] = firstOf(entry);
  const [row, column] = [0, 1].map((axis) =>
    followed && entry.lanes?.[axis] === followed.stack ? followed.index : -1,
  );
  const [top, bottom, left, right] = inSight;
  const pen = new LabelPen(ctx, theme, ratio);
  const head = Math.round(geometry.top * ratio);
  const side = Math.round(geometry.label * ratio);
  ctx.clearRect(0, 0, side, ctx.canvas.height);
  ctx.clearRect(0, 0, ctx.canvas.width, head);
  // If cells are lower than a line of text, only every n-th label is written.
  const every = powerOver(LINE_HEIGHT / geometry.height);
  for (let i = top; i < Math.min(bottom, rows.length); i++) {
    const isFollowed = above + i === row;
    if (!isFollowed && !isWritten(i, every, marked?.i)) continue;
    pen.emphasize(marked?.i === i, isFollowed);
    const y = Math.max((ys[i] + ys[i + 1]) / 2 - dy, head + 6 * ratio);
    pen.right(rows[i], above + i, side - 7 * ratio, y, side - 8 * ratio);
  }
  const maxWidth = geometry.upright ? 12 : 6 + 6 * `${before + cols.length - 1}`.length;
  const skip = powerOver(maxWidth / geometry.cell);
  for (let j = left; j < Math.min(right, cols.length); j++) {
    const isFollowed = before + j === column;
    if (!isFollowed && !isWritten(j, skip, marked?.j)) continue;
    pen.emphasize(marked?.j === j, isFollowed);
    const x = (xs[j] + xs[j + 1]) / 2 - dx;
    const { upright } = geometry;
    if (upright)
      pen.upright(pen.measure(cols[j], before + j, head - 6 * ratio), x, head - 5 * ratio);
    else pen.middle(cols[j], before + j, x, head - 9 * ratio, side + 1);
  }
  // Clear the corner, over which cells may have scrolled.
  ctx.clearRect(0, 0, side, head);
}

/** @typedef {{text: string, sub: string, textWidth: number, width: number}} Measured */

/** Draws labels; sets the digits of d0 as a subscript, and shortens long words. */
export class LabelPen {
  /**
   * @param {CanvasRenderingContext2D} ctx @param {Theme} theme @param {number} ratio
   * @param {number} [size] CSS px
   */
  constructor(ctx, theme, ratio, size = LABEL_FONT) {
    this.ctx = ctx;
    this.size = size;
    this.theme = theme;
    this.ratio = ratio;
    this.font = this.letter = "";
    this.small = `${8.5 * ratio}px ${MATH}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    this.emphasize(false);
  }

  /** @param {boolean} on @param {boolean} [isFollowed] whether it is the followed word */
  emphasize(on, isFollowed = false) {
    const { accent, ink, muted } = this.theme;
    this.ctx.fillStyle = isFollowed ? accent : on ? ink : muted;
    const weight = on || isFollowed ? "600 " : "";
    this.font = `${weight}${this.size * this.ratio}px ${this.theme.fontText}`;
    this.letter = `${weight}italic ${(this.size + LARGER) * this.ratio}px KaTeX_Math, ${MATH}`;
  }

  /**
   * @param {string} label @param {number} k its index @param {number} maxWidth largest width; 0 for
   *   no limit
   * @returns {Measured}
   */
  measure(label, k, maxWidth) {
    const { ctx } = this;
    const index = isIndexLabel(label, k);
    let text = index ? label[0] : label || "∅";
    const sub = index ? label.slice(1) : "";
    ctx.font = sub ? this.letter : this.font;
    let width = ctx.measureText(text).width;
    if (maxWidth && width > maxWidth) {
      while (text.length > 1 && ctx.measureText(`${text}…`).width > maxWidth)
        text = text.slice(0, -1);
      text += "…";
      width = ctx.measureText(text).width;
    }
    ctx.font = this.small;
    return { text, sub, textWidth: width, width: width + (sub ? ctx.measureText(sub).width : 0) };
  }

  /** @param {Measured} measured @param {number} x @param {number} y */
  put({ text, sub, textWidth }, x, y) {
    const { ctx } = this;
    ctx.font = sub ? this.letter : this.font;
    ctx.fillText(text, x, y);
    if (!sub) return;
    ctx.font = this.small;
    ctx.fillText(sub, x + textWidth, y + 3 * this.ratio);
  }

  /**
   * Draws a label that ends at x.
   * @param {string} label @param {number} k @param {number} x @param {number} y
   * @param {number} maxWidth
   */
  right(label, k, x, y, maxWidth) {
    const measured = this.measure(label, k, maxWidth);
    this.put(measured, Math.round(x - measured.width), Math.round(y));
  }

  /**
   * Draws a label centered at x, but not left of `least`.
   * @param {string} label @param {number} k @param {number} x @param {number} y
   * @param {number} least
   */
  middle(label, k, x, y, least) {
    const measured = this.measure(label, k, 0);
    const most = this.ctx.canvas.width - Math.ceil(measured.width);
    const left = Math.max(least, Math.min(Math.round(x - measured.width / 2), most));
    this.put(measured, left, Math.round(y));
  }

  /** Draws it rotated. @param {Measured} measured @param {number} x @param {number} y its start */
  upright(measured, x, y) {
    const { ctx } = this;
    ctx.save();
    ctx.translate(Math.round(x), Math.round(y));
    ctx.rotate(-Math.PI / 2);
    this.put(measured, 0, 0);
    ctx.restore();
  }
}
