/** What an edit has moved lights up for a moment, by how far it moved. */

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Trail} from "../data/trail.js"
 * @import {Surface} from "./cells.js"
 */

const MOST = 0.8; // of the color of the flash over the cell that moved farthest
const LEAST = 0.02;

/**
 * @param {Surface} surface @param {Matrix} matrix @param {Trail} trail
 * @param {number} strength 0 … 1
 */
export function paintFlash({ ctx, theme, xs, ys, dx, dy, inSight }, matrix, trail, strength) {
  if (!matrix.before || !strength) return;
  const [top, bottom, left, right] = inSight;
  ctx.fillStyle = theme.accent;
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const share = trail.share(matrix, i * matrix.cols + j) * strength * MOST;
      if (share < LEAST) continue;
      ctx.globalAlpha = share;
      ctx.fillRect(xs[j] - dx, ys[i] - dy, xs[j + 1] - xs[j] - 1, ys[i + 1] - ys[i] - 1);
    }
  ctx.globalAlpha = 1;
}
