/** What follows from the stretches of the words: their borders, and which is next to a value. */

/**
 * @import {WordRow} from "./types.js"
 *
 * @typedef {object} Border a value at which words change
 * @property {number} at
 * @property {number} row of the first of them
 * @property {string} name ``after “le chat”``
 * @property {string} before what it is below
 * @property {string} after and above
 * @property {number} more how many others change there
 */

const FIGURES = 3;

/**
 * All borders, from the lowest; those that are written with the same three figures are one.
 * @param {WordRow[]} rows @returns {Border[]}
 */
export function allBorders(rows) {
  /** @type {Map<string, Border>} */
  const found = new Map();
  for (const { row, name, stretches } of rows)
    stretches.slice(1).forEach(([at, , after], k) => {
      const key = at.toPrecision(FIGURES);
      const known = found.get(key);
      if (known?.name === name) known.after = after;
      else if (known && isTelling(known)) known.more += 1;
      else found.set(key, { at, row, name, before: stretches[k][2], after, more: moreAt(known) });
    });
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/**
 * A place that a sentence does not reach says less than the word that ends it.
 * @param {Border} of
 */
const isTelling = ({ before, after }) => before !== "" && after !== "";

/** @param {Border | undefined} known */
const moreAt = (known) => (known ? known.more + 1 : 0);

/**
 * What the model does on one side of a border, in words.
 * @param {Border} border @param {number} side −1 below, 1 above
 * @param {string} end the word that ends a sentence
 * @param {string} previous the word before, on that side; empty at the start
 */
export function effectText({ before, after }, side, end, previous) {
  const [from, to] = side > 0 ? [before, after] : [after, before];
  const place = previous ? `after “${previous}”` : "at the start";
  if (to === end) return `it stops ${place}`;
  if (!to) return from === end ? "it has stopped before" : `it stops before “${from}”`;
  if (from === end) return `it does not stop ${place} but writes “${to}”`;
  if (!from) return `it goes on ${place}: “${to}”`;
  return `“${to}” instead of “${from}” ${place}`;
}

/**
 * The word of a row just past a border; null if it changes nowhere.
 * @param {WordRow[]} rows @param {number} row @param {number} at @param {number} side
 */
export function wordPast(rows, row, at, side) {
  const stretches = rows.find((each) => each.row === row)?.stretches;
  if (!stretches) return null;
  const past = side > 0 ? at : at - Number.EPSILON * Math.max(1, Math.abs(at)) * 4;
  return stretches[stretchAt(stretches, past)][2];
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
 * The rows as they are shown: the one in focus, then those with a border nearest to a value.
 * @param {WordRow[]} rows @param {number} focus @param {number} value
 */
export function inOrder(rows, focus, value) {
  /** @param {WordRow} row */
  const away = ({ row, stretches }) =>
    row === focus ? -1 : Math.min(...stretches.slice(1).map(([at]) => Math.abs(at - value)));
  return [...rows].sort((a, b) => away(a) - away(b) || a.row - b.row);
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
 * The borders that have room for their numbers, the nearest to a value first.
 * @param {WordRow[]} rows @param {number} apart least distance @param {number} value
 */
export function bordersNear(rows, apart, value) {
  /** @type {Border[]} */
  const found = [];
  const away = (/** @type {Border} */ { at }) => Math.abs(at - value);
  for (const border of allBorders(rows).sort((a, b) => away(a) - away(b)))
    if (found.every(({ at }) => Math.abs(at - border.at) >= apart)) found.push(border);
  return found.sort((a, b) => a.at - b.at);
}

/**
 * The value of three figures just past a border.
 * @param {number} at @param {number} side −1 below, 1 above @param {number} least step at 0
 */
export function justPast(at, side, least) {
  const unit = at ? 10 ** (Math.floor(Math.log10(Math.abs(at))) - FIGURES + 1) : least;
  const round = side > 0 ? Math.ceil(at / unit) : Math.floor(at / unit);
  // Not on the border itself, which is known to a fifth of the unit.
  const steps = Math.abs(round - at / unit) < 0.2 ? round + side : round;
  return Number((steps * unit).toPrecision(9));
}
