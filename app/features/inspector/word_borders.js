/**
 * Computes the borders between stretches. A stretch is a range of values for which a position has
 * the same word.
 */

/** @import {WordRow} from "./types.js" */

const FIGURES = 3;

/** Returns the borders in order, merged if three digits agree. @param {readonly WordRow[]} rows */
export function allBorders(rows) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { stretches } of rows)
    for (const [at] of stretches.slice(1)) {
      const key = at.toPrecision(FIGURES);
      if (!found.has(key)) found.set(key, at);
    }
  return [...found.values()].sort((a, b) => a - b);
}

/**
 * Returns the nearest border on one side of a value.
 * @param {readonly WordRow[]} rows @param {number} value @param {number} side −1 below, 1 above
 */
export function nextTo(rows, value, side) {
  const all = allBorders(rows);
  return side > 0 ? all.find((at) => at > value) : all.findLast((at) => at <= value);
}

/**
 * Returns the rows whose word changes, in the order of their bands: the row in focus first, the
 * others by the distance of the nearest border from a value.
 * @param {readonly WordRow[]} rows @param {number} focus @param {number} value
 */
export function banded(rows, focus, value) {
  const changing = rows.filter(({ stretches }) => stretches.length > 1);
  /** @param {WordRow} row */
  const away = ({ row, stretches }) =>
    row === focus ? -1 : Math.min(...stretches.slice(1).map(([at]) => Math.abs(at - value)));
  return changing.sort((a, b) => away(a) - away(b) || a.row - b.row);
}

/**
 * Returns the index of the stretch that contains a value.
 * @param {WordRow["stretches"]} stretches @param {number} value
 */
export const stretchAt = (stretches, value) =>
  Math.max(
    0,
    stretches.findLastIndex(([low]) => low <= value),
  );

/** @param {WordRow["stretches"]} stretches @param {number} value */
export const wordAt = (stretches, value) => stretches[stretchAt(stretches, value)][2];

/**
 * Returns a value with three digits just past a border.
 * @param {number} at the border @param {number} side −1 below, 1 above
 * @param {number} least the unit of rounding if the border is 0
 */
export function justPast(at, side, least) {
  const unit = at ? 10 ** (Math.floor(Math.log10(Math.abs(at))) - FIGURES + 1) : least;
  const round = side > 0 ? Math.ceil(at / unit) : Math.floor(at / unit);
  // Go one unit further if the rounded value is at the border, whose error is up to a fifth of the
  // unit.
  const steps = Math.abs(round - at / unit) < 0.2 ? round + side : round;
  return Number((steps * unit).toPrecision(9));
}
