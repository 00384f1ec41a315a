/**
 * What explains a change: where it began, the word that it changed, and the few links that carried
 * most of it there. A link carries as much as its weight changed, or what it reads of a row that
 * did, as far as its own row comes to that word.
 */

import { flow } from "./flow.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane} from "../data/types.js"
 * @import {Column, WeightOf} from "./flow.js"
 *
 * @typedef {{moved: (matrix: Matrix, k: number) => number}} Mover how far a number has moved
 *
 * @typedef {object} Carried
 * @property {Lane[]} from the rows in which it began; none if there are many
 * @property {Lane | null} to the row whose word it changed, or most nearly did
 * @property {Map<Matrix, Map<number, number>>} links by matrix and cell: how much each carried
 *   relative to the one that carried most, 0 … 1
 */

const MOST_LINKS = 3;
const LEAST_WEIGHT = 0.02; // of a link that can be seen
const MOST_ROWS = 2; // in which a change begins, that are pointed out
const LEAST = 0.1; // of what the first link carries, that the others do
const NEAR = 0.6; // of the most that a row moved where it began, that others did

/**
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts rows of each stack
 * @param {readonly Matrix[]} matrices @param {Mover} mover @param {WeightOf} weightOf
 * @returns {Carried}
 */
export function carried(columns, counts, matrices, mover, weightOf) {
  const moves = columns.map((column) => movesOf(column, counts, matrices, mover));
  const to = changedMost(columns, matrices, moves);
  const last = columns.length - 1;
  const comes = to ? [{ column: last, stack: to.stack, rows: [to.index] }] : [];
  const strengths = to ? flow(columns, counts, weightOf, { reaches: [], comes }) : null;
  const found = columns.flatMap((column, n) => {
    if (column.keys === null) return [];
    const read = columns.findLastIndex(
      ({ stack, keys }, k) => k < n && keys === null && stack === column.keys,
    );
    const most = Math.max(0, ...(moves[read] ?? []));
    return column.matrices.flatMap((index) => {
      const matrix = matrices[index];
      return linksOf(matrix).map(({ k, at, key, weight }) => {
        const reads = most ? (weight * (moves[read]?.[key] ?? 0)) / most : 0;
        const share = Math.max(Math.min(1, mover.moved(matrix, k)), reads);
        return { matrix, k, by: share * (strengths ? (strengths[n][at] ?? 0) : 1) };
      });
    });
  });
  found.sort((a, b) => b.by - a.by);
  const [first] = found;
  /** @type {Carried["links"]} */
  const links = new Map();
  for (const { matrix, k, by } of found.slice(0, MOST_LINKS)) {
    if (!(by > 0) || by < LEAST * first.by) break;
    links.set(matrix, (links.get(matrix) ?? new Map()).set(k, by / first.by));
  }
  return { from: began(columns, moves), to, links };
}

/**
 * How far each row of a column moved, on the mean of its numbers; of links, each query's.
 * @param {Column} column @param {ReadonlyMap<string, number>} counts
 * @param {readonly Matrix[]} matrices @param {Mover} mover
 */
function movesOf({ stack, matrices: indices }, counts, matrices, mover) {
  const found = new Float64Array(counts.get(stack) ?? 0);
  for (const index of indices) {
    const matrix = matrices[index];
    const top = matrix.entry.origin?.[1] ?? 0;
    for (let k = 0; k < matrix.cells; k++) {
      const i = top + Math.floor(k / matrix.cols);
      if (i < found.length) found[i] += mover.moved(matrix, k) / matrix.cols;
    }
  }
  return found;
}

/**
 * The first row whose likeliest word is another, since what is written after it follows; or else
 * the one that moved most.
 * @param {readonly Column[]} columns @param {readonly Matrix[]} matrices
 * @param {readonly Float64Array[]} moves
 * @returns {Lane | null}
 */
function changedMost(columns, matrices, moves) {
  const column = columns.at(-1);
  const moved = moves.at(-1);
  if (!column || column.keys !== null || !moved) return null;
  const { stack } = column;
  const { before, values, rows, cols, entry } = matrices[column.matrices[0]];
  if (before && values && !entry.block && !entry.origin)
    for (let i = 0; i < rows; i++) {
      const row = (/** @type {Float32Array} */ all) => all.subarray(i * cols, (i + 1) * cols);
      const [was, is] = [row(before), row(values)];
      if (likeliest(was) !== likeliest(is) && !was.some(Number.isNaN)) return { stack, index: i };
    }
  const index = moved.indexOf(Math.max(...moved));
  return moved[index] > 0 ? { stack, index } : null;
}

/** @param {Float32Array} row */
const likeliest = (row) => row.indexOf(Math.max(...row));

/**
 * The rows of the first column in which anything moved.
 * @param {readonly Column[]} columns @param {readonly Float64Array[]} moves
 * @returns {Lane[]}
 */
function began(columns, moves) {
  const at = moves.findIndex((rows) => rows.some((row) => row > 0));
  if (at < 0) return [];
  const most = Math.max(...moves[at]);
  const rows = [...moves[at].keys()].filter((i) => moves[at][i] >= NEAR * most);
  return rows.length > MOST_ROWS ? [] : rows.map((index) => ({ stack: columns[at].stack, index }));
}

/**
 * The links of a head that can be seen: its cell, its place among all pairs, its key and its weight.
 * @param {Matrix} matrix
 */
function linksOf({ values, cols, entry }) {
  const [, top, left] = entry.origin ?? ["", 0, 0];
  const block = entry.block?.[1] ?? 1;
  const whole = entry.whole?.[1] ?? cols;
  return [...(values ?? [])].flatMap((weight, k) => {
    const key = left + (k % cols) * block;
    const at = (top + Math.floor(k / cols)) * whole + key;
    return weight >= LEAST_WEIGHT ? [{ k, at, key, weight: Math.min(1, weight) }] : [];
  });
}
