/** What follows from the stretches of the words: their borders, and the sentence at a value. */

/** @import {WordRow, Words} from "./types.js" */

const FIGURES = 3;

/**
 * All values at which a word changes, from the lowest; those with the same three figures are one.
 * @param {readonly WordRow[]} rows
 */
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
 * The sentence at a value: where the model writes it, the words before its end; or else the
 * likeliest word of each place.
 * @param {Words} words @param {number} value
 */
export function sentenceAt({ rows, end, writes }, value) {
  const all = rows.map(({ stretches }) => stretches[stretchAt(stretches, value)][2]);
  const stop = writes ? all.findIndex((word) => !word || word === end) : -1;
  return stop < 0 ? all : all.slice(0, stop);
}

/**
 * Which words of a sentence are new since another one; a moved word is not new. What is not new is
 * the longest sequence of words that both have.
 * @param {string[]} sentence @param {string[]} before @returns {boolean[]}
 */
export function isNew(sentence, before) {
  // The length of that sequence, of the words from each pair of places on.
  const common = Array.from({ length: sentence.length + 1 }, () =>
    Array(before.length + 1).fill(0),
  );
  for (let i = sentence.length - 1; i >= 0; i--)
    for (let j = before.length - 1; j >= 0; j--)
      common[i][j] =
        sentence[i] === before[j]
          ? common[i + 1][j + 1] + 1
          : Math.max(common[i + 1][j], common[i][j + 1]);
  let j = 0;
  return sentence.map((word, i) => {
    while (word !== before[j] && common[i][j] > common[i + 1][j]) j++;
    const isKept = word === before[j] && common[i][j] > common[i + 1][j];
    if (isKept) j++;
    return !isKept;
  });
}

/**
 * The nearest border on one side of a value.
 * @param {readonly WordRow[]} rows @param {number} value @param {number} side −1 below, 1 above
 */
export function nextTo(rows, value, side) {
  const all = allBorders(rows);
  return side > 0 ? all.find((at) => at > value) : all.findLast((at) => at <= value);
}

/**
 * The places that get a band, those whose word changes: first the one in focus, then those with a
 * border nearest to a value. A place with no other words than the end has none: where a sentence
 * ends is seen in the other bands.
 * @param {Words} words @param {number} focus @param {number} value
 */
export function banded({ rows, end }, focus, value) {
  const changing = rows.filter(
    ({ stretches }) => stretches.length > 1 && stretches.some(([, , w]) => w && w !== end),
  );
  /** @param {WordRow} row */
  const away = ({ row, stretches }) =>
    row === focus ? -1 : Math.min(...stretches.slice(1).map(([at]) => Math.abs(at - value)));
  return changing.sort((a, b) => away(a) - away(b) || a.row - b.row);
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
