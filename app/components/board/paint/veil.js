/** Fades cells by painting the background color over them. */

/** @import {Surface} from "./cells.js" */

const LEAST = 0.02; // the least visible opacity

/**
 * @param {Surface} surface @param {number} cols of the matrix
 * @param {Float32Array | null} strengths of each cell, 0 … 1; null: all stand out
 */
export function paintVeil({ ctx, theme, xs, ys, dx, dy, inSight }, cols, strengths) {
  if (!strengths) return;
  const [top, bottom, left, right] = inSight;
  ctx.fillStyle = theme.paper;
  for (let i = top; i < bottom; i++) {
    let from = left;
    for (let j = left + 1; j <= right; j++) {
      // Paint adjacent cells of equal strength together.
      if (j < right && strengths[i * cols + j] === strengths[i * cols + from]) continue;
      const cover = theme.coverOf(strengths[i * cols + from]);
      if (cover >= LEAST) {
        ctx.globalAlpha = cover;
        ctx.fillRect(xs[from] - dx, ys[i] - dy, xs[j] - xs[from], ys[i + 1] - ys[i]);
      }
      from = j;
    }
  }
  ctx.globalAlpha = 1;
}
