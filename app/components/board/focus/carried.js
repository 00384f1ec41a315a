/**
 * What explains a change: where it began, the word that it changed, and the few links that carried
 * most of it there. A link carries as much as its weight changed, or what it reads of a row that
 * did, as far as its own row comes to that word.
 */

import { flow } from "./flow.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane} from "../data/types.js"
 * @import {Column, Seed, WeightOf} from "./flow.js"
 *
 * @typedef {{moved: (matrix: Matrix, k: number) => number}} Mover how far a number has moved
 *
 * @typedef {object} Found a link
 * @property {number} column
 * @property {number} at its place among all pairs of the column
 * @property {Matrix} matrix
 * @property {number} k its cell
 * @property {number} by how much it carried
 *
 * @typedef {object} Carried
 * @property {Lane[]} from the rows in which it began; none if there are many
 * @property {Lane | null} to the row whose word it changed, or most nearly did
 * @property {Map<Matrix, Map<number, number>>} links by matrix and cell: how much each carried
 *   relative to the one that carried most, 0 … 1
 * @property {Float32Array[]} rows by column: whether each row of a strip is on the way, 0 or 1
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
  const known = /** @type {Map<number, Float64Array>} */ (new Map());
  /** How far each row of the n-th column moved. @param {number} n */
  const moves = (n) => {
    const found = known.get(n) ?? movesOf(columns[n], counts, matrices, mover);
    known.set(n, found);
    return found;
  };
  const last = columns.length - 1;
  const to = last < 0 ? null : changedMost(columns[last], matrices, moves(last));
  const comes = to ? [{ column: last, stack: to.stack, rows: [to.index] }] : [];
  const strengths = to && flow(columns, counts, weightOf, { reaches: [], comes });
  const found = /** @type {Found[]} */ ([]); // what carried most comes first
  columns.forEach((column, n) => {
    if (column.keys === null) return;
    const read = readBy(columns, n);
    const shares = read < 0 ? [] : sharesOf(moves(read));
    for (const index of column.matrices) {
      const matrix = matrices[index];
      eachLink(matrix, (k, at, key, weight) => {
        const changed = Math.min(1, mover.moved(matrix, k));
        const by = Math.max(changed, weight * (shares[key] ?? 0)) * (strengths?.[n][at] ?? 1);
        insert(found, { column: n, at, matrix, k, by });
      });
    }
  });
  const carrying = found.filter(({ by }) => by >= LEAST * found[0].by);
  /** @type {Carried["links"]} */
  const links = new Map();
  for (const { matrix, k, by } of carrying)
    links.set(matrix, (links.get(matrix) ?? new Map()).set(k, by / found[0].by));
  const begins = began(columns, moves);
  const rows = wayOf(columns, counts, carrying, begins, comes);
  return { from: begins.flatMap(lanesOf), to, links, rows };
}

/**
 * The rows through which a change came: those that it reaches by the links that carried it, and
 * from which the changed word comes.
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts
 * @param {readonly Found[]} carrying @param {Seed[]} reaches @param {Seed[]} comes
 */
function wayOf(columns, counts, carrying, reaches, comes) {
  const pairs = columns.map(() => /** @type {Set<number>} */ (new Set()));
  for (const { column, at } of carrying) pairs[column].add(at);
  const places = new Map(columns.map((column, n) => [column, n]));
  /** @type {WeightOf} */
  const carries = (column, i, j) => {
    const all = counts.get(column.keys ?? "") ?? 0;
    return Number(pairs[places.get(column) ?? 0].has(i * all + j));
  };
  const ahead = flow(columns, counts, carries, { reaches, comes: [] });
  const back = flow(columns, counts, carries, { reaches: [], comes });
  if (!reaches.length) return back;
  return ahead.map((rows, n) => rows.map((by, i) => Math.min(by, back[n][i])));
}

/** @param {Seed} seed @returns {Lane[]} */
const lanesOf = ({ stack, rows }) => rows.map((index) => ({ stack, index }));

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
 * The strip that links come from.
 * @param {readonly Column[]} columns @param {number} n the column of the links
 */
const readBy = (columns, n) =>
  columns.findLastIndex(({ stack, keys }, k) => k < n && !keys && stack === columns[n].keys);

/** Relative to the largest. @param {Float64Array} moves */
function sharesOf(moves) {
  const most = Math.max(0, ...moves);
  return most ? moves.map((by) => by / most) : moves;
}

/** Keeps the first few in order. @param {Found[]} found @param {Found} other */
function insert(found, other) {
  if (!(other.by > (found[MOST_LINKS - 1]?.by ?? 0))) return;
  const place = found.findIndex(({ by }) => other.by > by);
  found.splice(place < 0 ? found.length : place, 0, other);
  if (found.length > MOST_LINKS) found.pop();
}

/**
 * The first row whose likeliest word is another, since what is written after it follows; or else
 * the one that moved most.
 * @param {Column} column the last @param {readonly Matrix[]} matrices
 * @param {Float64Array} moved how far each of its rows did
 * @returns {Lane | null}
 */
function changedMost(column, matrices, moved) {
  if (column.keys !== null) return null;
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
 * @param {readonly Column[]} columns @param {(n: number) => Float64Array} moves
 * @returns {Seed[]} none if there are many rows
 */
function began(columns, moves) {
  const at = columns.findIndex((_, n) => moves(n).some((row) => row > 0));
  if (at < 0) return [];
  const all = moves(at);
  const most = Math.max(...all);
  const rows = [...all.keys()].filter((i) => all[i] >= NEAR * most);
  return rows.length > MOST_ROWS ? [] : [{ column: at, stack: columns[at].stack, rows }];
}

/**
 * The links of a head that can be seen.
 * @param {Matrix} matrix
 * @param {(k: number, at: number, key: number, weight: number) => void} each `k`: its cell; `at`:
 *   its place among all pairs
 */
function eachLink({ values, cols, entry }, each) {
  const [, top, left] = entry.origin ?? ["", 0, 0];
  const block = entry.block?.[1] ?? 1;
  const whole = entry.whole?.[1] ?? cols;
  values?.forEach((weight, k) => {
    const key = left + (k % cols) * block;
    if (weight >= LEAST_WEIGHT)
      each(k, (top + Math.floor(k / cols)) * whole + key, key, Math.min(1, weight));
  });
}
