/** Fades the cells that do not belong to the followed word. */

import { firstOf } from "./layout.js";

/**
 * @import {Lane, MatrixEntry} from "../data/types.js"
 * @import {Surface} from "./cells.js"
 */

const COVER = 0.75; // opacity of the background color over faded cells

/**
 * @param {Surface} surface @param {MatrixEntry} entry
 * @param {Lane | null} following
 */
export function paintFaded({ ctx, theme, xs, ys, dx, dy, inSight }, entry, following) {
  if (!following) return;
  const [top, bottom, left, right] = inSight;
  const [above, before] = firstOf(entry);
  const [rows = null, columns = null] = entry.lanes ?? [];
  const { stack, index } = following;
  ctx.fillStyle = theme.paper;
  ctx.globalAlpha = COVER;
  for (let i = top; i < bottom; i++) {
    if (rows === stack && above + i === index) continue;
    for (let j = left; j < right; j++) {
      if (columns === stack && before + j === index) continue;
      ctx.fillRect(xs[j] - dx, ys[i] - dy, xs[j + 1] - xs[j], ys[i + 1] - ys[i]);
    }
  }
  ctx.globalAlpha = 1;
}
