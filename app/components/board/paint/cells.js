/**
 * Painting a matrix with numbers in its cells. Positions are device pixels. A cell is drawn again only if its shade,
 * its text or its marks differ from what the canvas shows.
 */

import { codes, DECIMAL, FRACTION, SHORT_DECIMAL } from "../../shared/number_format.js";
import { shade } from "./color.js";

/** @param {MatrixView} view @param {boolean} whole forget what the canvas shows */
export function paintCells(view, whole) {
  const { ctx, matrix, theme, notation, sprites, xs, ys, shown } = view;
  const { flags, maximum, cols } = matrix,
    values = matrix.plane(view.board.view.plane);
  const [top, bottom, left, right] = view.inSight();
  const short = notation === DECIMAL && view.geometry.mode === "stack" ? SHORT_DECIMAL : notation;
  const gap = Math.max(1, Math.floor(view.ratio)),
    line = Math.max(1, Math.round(1.6 * view.ratio));
  const editable = matrix.entry.editable;
  if (whole) shown.fill(-1);
  for (let i = top; i < bottom; i++) {
    const y = ys[i] - view.dy,
      h = ys[i + 1] - ys[i] - gap;
    for (let j = left; j < right; j++) {
      const k = i * cols + j,
        v = values[k];
      const tint = shade(v, maximum),
        { head, tail } = codes(v, short),
        mark = flags ? flags[k] : 0;
      // One number says all that can be seen of a cell.
      const look = ((head * 1024 + tail) * 512 + tint) * 16 + mark;
      if (shown[k] === look) continue;
      shown[k] = look;
      const x = xs[j] - view.dx,
        w = xs[j + 1] - xs[j] - gap;
      ctx.fillStyle = theme.ground[tint];
      ctx.fillRect(x, y, w, h);
      if (editable) {
        ctx.fillStyle = theme.edge[tint];
        ctx.fillRect(x, y + h - line, w, line);
      }
      if (mark) paintMarks(view, mark, x, y, w, h);
      paintNumber(ctx, sprites, view.geometry.mode, head, tail, theme.inkOf[tint], x, y, w, h);
    }
  }
}

function paintNumber(ctx, sprites, mode, head, tail, ink, x, y, w, h) {
  const a = sprites.head(head, ink);
  if (!tail) {
    copy(ctx, sprites, a, x + ((w - a.w) >> 1), y + (h >> 1), w);
    return;
  }
  const b = sprites.tail(tail, ink);
  if (mode === "stack" && tail < FRACTION) {
    copy(ctx, sprites, a, x + ((w - a.w) >> 1), y + Math.round(h * 0.3), w);
    copy(ctx, sprites, b, x + ((w - b.w) >> 1), y + Math.round(h * 0.7), w);
    return;
  }
  const start = x + ((w - a.w - b.w) >> 1);
  copy(ctx, sprites, a, start, y + (h >> 1), w);
  copy(ctx, sprites, b, start + a.w - 1, y + (h >> 1), w);
}

/** `middle` is where the middle of the digits goes. */
function copy(ctx, sprites, s, x, middle) {
  ctx.drawImage(sprites.sheet, s.x, s.y, s.w, s.h, x, middle + s.dy, s.w, s.h);
}

/** Hatching: dropped by dropout. A corner: edited or overridden. A frame: what the selected cell reaches. */
export function paintMarks(view, mark, x, y, w, h) {
  const { ctx, theme, ratio } = view;
  if (mark & 1) {
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
  if (mark & 8) {
    ctx.strokeStyle = theme.operand;
    ctx.lineWidth = Math.max(2, Math.round(1.5 * ratio));
    ctx.strokeRect(
      x + ctx.lineWidth / 2,
      y + ctx.lineWidth / 2,
      w - ctx.lineWidth,
      h - ctx.lineWidth,
    );
  }
  if (mark & 6) {
    const side = Math.min(Math.round(6 * ratio), w >> 1);
    ctx.fillStyle = mark & 4 ? theme.operand : theme.accent;
    ctx.beginPath();
    ctx.moveTo(x + w - side, y);
    ctx.lineTo(x + w, y);
    ctx.lineTo(x + w, y + side);
    ctx.fill();
  }
}
