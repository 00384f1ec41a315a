/** Target of an arrow key at the edge of a matrix: the nearest cell of another matrix. */

/** @import {GridView} from "../paint/view.js" */

const ASIDE = 3; // cost of a px across the direction, relative to a px along the direction

/**
 * The nearest cell in a direction, or null if no matrix lies there.
 * @param {GridView[]} grids all candidates
 * @param {GridView} from the grid with the keyboard focus, at its active cell
 * @param {number} dy −1 up, 1 down @param {number} dx −1 left, 1 right
 */
export function arrowTarget(grids, from, dy, dx) {
  const { i, j } = from.active;
  const start = from.boxOf(i, j);
  const x = start.x + start.width / 2;
  const y = start.y + start.height / 2;
  let best = null;
  let least = Infinity;
  for (const view of grids) {
    if (view === from) continue;
    const { rows, cols } = view.matrix;
    const all = view.boxOf(0, 0, rows - 1, cols - 1);
    // The point of this grid nearest to the start.
    const nearX = Math.max(all.x, Math.min(x, all.x + all.width - 0.01));
    const nearY = Math.max(all.y, Math.min(y, all.y + all.height - 0.01));
    const along = dx ? (nearX - x) * dx : (nearY - y) * dy;
    const aside = dx ? Math.abs(nearY - y) : Math.abs(nearX - x);
    if (along <= 0) continue;
    const away = along + ASIDE * aside;
    if (away >= least) continue;
    least = away;
    best = {
      view,
      i: Math.min(rows - 1, Math.floor(((nearY - all.y) / all.height) * rows)),
      j: Math.min(cols - 1, Math.floor(((nearX - all.x) / all.width) * cols)),
    };
  }
  return best;
}
