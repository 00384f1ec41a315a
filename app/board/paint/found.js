/**
 * Frames the numbers that a search has found. The less a number has to change to reach the goal of
 * the search, the stronger is its frame.
 */

import { REACH_LEVELS, REACHED, reachOf } from "../data/flags.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Surface} from "./cells.js"
 */

const LINE = { least: 1, share: 0.3, most: 2 }; // in CSS px; `share`: fraction of a cell's side
const FAINTEST = 0.45;

/** @param {Surface} surface @param {Matrix} matrix */
export function paintFound({ ctx, theme, ratio, xs, ys, inSight }, { flags, cols }) {
  if (!flags) return;
  const [top, bottom, left, right] = inSight;
  ctx.strokeStyle = theme.accent;
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const mark = flags[i * cols + j];
      if (!(mark & REACHED)) continue;
      const [wide, tall] = [xs[j + 1] - xs[j], ys[i + 1] - ys[i]];
      const side = Math.min(wide, tall) / ratio;
      const line = Math.max(LINE.least, Math.min(LINE.most, LINE.share * side)) * ratio;
      ctx.globalAlpha = FAINTEST + ((1 - FAINTEST) * reachOf(mark)) / REACH_LEVELS;
      ctx.lineWidth = line;
      ctx.strokeRect(xs[j] + line / 2, ys[i] + line / 2, wide - line, tall - line);
    }
  ctx.globalAlpha = 1;
}
