/** What follows from the stretches of the words: their borders, and which is next to a value. */

/**
 * @import {WordRow} from "./types.js"
 *
 * @typedef {object} Border a value at which words change
 * @property {number} at
 * @property {string} before the first of them below it
 * @property {string} after above it
 * @property {number} more how many others change there
 */

/** All borders, from the lowest. @param {WordRow[]} rows @returns {Border[]} */
export function allBorders(rows) {
  /** @type {Map<number, Border>} */
  const found = new Map();
  for (const { stretches } of rows)
    stretches.slice(1).forEach(([at, , after], k) => {
      const known = found.get(at);
      if (known) known.more += 1;
      else found.set(at, { at, before: stretches[k][2], after, more: 0 });
    });
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/**
 * The border that is crossed first on the way from a value to another.
 * @param {WordRow[]} rows @param {number} from @param {number} to
 */
export function crossed(rows, from, to) {
  const [low, high] = from < to ? [from, to] : [to, from];
  const between = allBorders(rows).filter(({ at }) => at > low && at <= high);
  return from < to ? between.at(-1) : between[0];
}

/**
 * The nearest border on one side of a value.
 * @param {WordRow[]} rows @param {number} value @param {number} side −1 below, 1 above
 */
export function nextTo(rows, value, side) {
  const all = allBorders(rows);
  return side > 0 ? all.find(({ at }) => at > value) : all.findLast(({ at }) => at <= value);
}

/**
 * Which stretch a value is in.
 * @param {WordRow["stretches"]} stretches @param {number} value
 */
export const stretchAt = (stretches, value) =>
  Math.max(
    0,
    stretches.findLastIndex(([low]) => low <= value),
  );

/**
 * The borders that have room for their numbers, from the lowest.
 * @param {WordRow[]} rows @param {number} apart least distance
 */
export function bordersNear(rows, apart) {
  /** @type {number[]} */
  const found = [];
  for (const { at } of allBorders(rows))
    if (!found.length || at - found[found.length - 1] >= apart) found.push(at);
  return found;
}
