/** The cells to which keys move the focus in a matrix. */

/**
 * @import {GridView} from "../paint/view.js"
 *
 * @typedef {{i: number, j: number, rows: number, cols: number}} Reach the active cell, and the last
 *   row and column
 * @typedef {(from: Reach) => [y: number, x: number]} Goal
 */

/** The goal of each key. @type {Record<string, Goal>} */
export const GOALS = {
  ArrowUp: ({ i, j }) => [i - 1, j],
  ArrowDown: ({ i, j }) => [i + 1, j],
  ArrowLeft: ({ i, j }) => [i, j - 1],
  ArrowRight: ({ i, j }) => [i, j + 1],
  Home: ({ i }) => [i, 0],
  End: ({ i, cols }) => [i, cols],
};

/** The goal of each key with Control. @type {typeof GOALS} */
export const FAR_GOALS = {
  ArrowUp: ({ j }) => [0, j],
  ArrowDown: ({ j, rows }) => [rows, j],
  ArrowLeft: ({ i }) => [i, 0],
  ArrowRight: ({ i, cols }) => [i, cols],
  Home: () => [0, 0],
  End: ({ rows, cols }) => [rows, cols],
};

/**
 * The reach in a view; in a window, that of the whole matrix, since keys scroll the window.
 * @param {GridView} view @returns {Reach}
 */
export function spanOf(view) {
  const { entry, rows, cols } = view.matrix;
  if (!entry.overview || !entry.origin || !entry.whole)
    return { ...view.active, rows: rows - 1, cols: cols - 1 };
  const [, row, column] = entry.origin;
  return {
    i: row + view.active.i,
    j: column + view.active.j,
    ...view.heading,
    rows: entry.whole[0] - 1,
    cols: entry.whole[1] - 1,
  };
}
