/**
 * Explains the change of one row's next word: finds the rows in which the change began, and the few
 * links that carried most of it. A link carries the change of the row that it reads, or of its own
 * weight. All links found are on a path from the first rows to the explained row.
 */

import { flow } from "./flow.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Lane} from "../data/types.js"
 * @import {Column, Seed, WeightOf} from "./flow.js"
 *
 * @typedef {{moved: (matrix: Matrix, k: number) => number}} Mover the distance that a number moved
 *
 * @typedef {object} Link
 * @property {number} column
 * @property {number} query @property {number} key
 * @property {Matrix} matrix
 * @property {number} k cell of the link's weight
 * @property {number} by fraction of the change that the link carries, 0 … 1
 * @property {boolean} begins whether the change begins with the link's weight
 *
 * @typedef {{by: number, link: Link | null, before: Way | null}} Way the strongest path from the
 *   first rows to a row, or from a row to the explained row, as a linked list
 *
 * @typedef {object} Carried
 * @property {Lane[]} from the rows in which the change began; empty if there are many
 * @property {Lane | null} to the explained row; null if no path leads to it
 * @property {Map<Matrix, Map<number, number>>} links by matrix and cell: the part that a link
 *   carried, relative to the largest part, 0 … 1
 * @property {Float32Array[]} rows by column: whether each row of a strip is on a path, 0 or 1
 */

const MOST_LINKS = 3; // links in all paths together; the strongest path may have more
const LEAST_WEIGHT = 0.02; // weaker links are invisible
const MOST_ROWS = 2; // a change that begins in more rows is not explained
const LEAST = 0.1; // the least strength of a path, relative to the strongest path
const NEAR = 0.6; // a change begins in rows that moved by this fraction of the most

/**
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts rows of each stack
 * @param {readonly Matrix[]} matrices @param {Mover} mover
 * @param {number} row the explained row
 * @returns {Carried}
 */
export function carried(columns, counts, matrices, mover, row) {
  const known = /** @type {Map<number, Float64Array>} */ (new Map());
  /** The distance that each row of the n-th column moved. @param {number} n */
  const moves = (n) => {
    const found = known.get(n) ?? movesOf(columns[n], counts, matrices, mover);
    known.set(n, found);
    return found;
  };
  const last = columns.length - 1;
  const end = columns.at(-1);
  const hasRow = end?.keys === null && row < (counts.get(end.stack) ?? 0);
  const to = hasRow ? { stack: end.stack, index: row } : null;
  const comes = to ? [{ column: last, stack: to.stack, rows: [to.index] }] : [];
  const begins = began(columns, moves);
  const first = begins.at(0)?.column ?? -1;
  const all = columns.map((column, n) => {
    if (first < 0 || n < first || column.keys === null || !to) return [];
    const read = readBy(columns, n);
    const shares = read < 0 ? new Float64Array(0) : sharesOf(moves(read));
    return column.matrices.flatMap((index) =>
      linksOf(matrices[index], n, (matrix, k, key, weight) => {
        const changed = Math.min(1, mover.moved(matrix, k));
        if (n === first) return changed;
        return shares[key] ? Math.max(changed, weight * shares[key]) : 0;
      }).map((link) => ({ ...link, begins: n === first })),
    );
  });
  const carrying = to ? strongest(waysOf(columns, counts, all, begins, to)) : [];
  /** @type {Carried["links"]} */
  const links = new Map();
  for (const { link, by } of carrying)
    links.set(link.matrix, (links.get(link.matrix) ?? new Map()).set(link.k, by / carrying[0].by));
  const marked = carrying.map(({ link }) => link);
  const rows = wayOf(columns, counts, marked, begins, comes);
  const isReached = to !== null && begins.length > 0 && rows[last][to.index] > 0;
  return { from: begins.flatMap(lanesOf), to: isReached ? to : null, links, rows };
}

/** @typedef {Map<string, (Way | null)[]>} Ways of each stack, by row */

/** @param {ReadonlyMap<string, number>} counts */
const noWays = (counts) =>
  new Map([...counts].map(([stack, n]) => [stack, /** @type {(Way | null)[]} */ (Array(n))]));

/** @type {Way} */
const START = { by: 1, link: null, before: null };

/**
 * Finds the strongest path through each link; links without a path are omitted.
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts
 * @param {readonly Link[][]} all links of each column @param {readonly Seed[]} begins
 * @param {Lane} to
 */
function waysOf(columns, counts, all, begins, to) {
  const ahead = waysAhead(columns, counts, all, begins);
  const behind = waysBehind(columns, counts, all, to);
  return all.flat().flatMap((link) => {
    const [before, after] = [ahead.get(link), behind.get(link)];
    if (!before || !after) return [];
    const links = [...through(before), link, ...through(after)];
    return [{ by: before.by * link.by * after.by, links }];
  });
}

/**
 * Finds the strongest path from the first rows to the row that each link reads.
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts
 * @param {readonly Link[][]} all @param {readonly Seed[]} begins
 */
function waysAhead(columns, counts, all, begins) {
  const found = /** @type {Map<Link, Way>} */ (new Map());
  const state = noWays(counts);
  columns.forEach(({ stack, keys }, n) => {
    const after = (state.get(stack) ?? []).slice(); // queries and keys may be of the same stack
    for (const link of all[n]) {
      const before = link.begins ? START : state.get(keys ?? "")?.[link.key];
      if (!before) continue;
      found.set(link, before);
      raise(after, link.query, { by: before.by * link.by, link, before });
    }
    const own = begins.filter(({ column }) => column === n && keys === null);
    for (const row of own.flatMap(({ rows }) => rows)) raise(after, row, START);
    state.set(stack, after);
  });
  return found;
}

/**
 * Finds the strongest path from the row that each link writes to the explained row.
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts
 * @param {readonly Link[][]} all @param {Lane} to
 */
function waysBehind(columns, counts, all, to) {
  const found = /** @type {Map<Link, Way>} */ (new Map());
  const state = noWays(counts);
  raise(state.get(to.stack) ?? [], to.index, START);
  columns.toReversed().forEach(({ stack, keys }, back) => {
    const queries = (state.get(stack) ?? []).slice();
    const read = state.get(keys ?? "") ?? [];
    for (const link of all[columns.length - 1 - back]) {
      const before = queries[link.query];
      if (!before) continue;
      found.set(link, before);
      raise(read, link.key, { by: before.by * link.by, link, before });
    }
  });
  return found;
}

/** @param {(Way | null)[]} ways @param {number} row @param {Way} way */
function raise(ways, row, way) {
  if (way.by > (ways[row]?.by ?? 0)) ways[row] = way;
}

/** @param {Way | null} way @returns {Link[]} */
const through = (way) => (way ? [...(way.link ? [way.link] : []), ...through(way.before)] : []);

/**
 * The links of the strongest paths, up to `MOST_LINKS`; a path counts as a whole or not at all.
 * @param {{by: number, links: Link[]}[]} ways
 * @returns {{link: Link, by: number}[]} the strongest first
 */
function strongest(ways) {
  const found = /** @type {Map<Link, number>} */ (new Map());
  const sorted = ways.filter(({ by }) => by > 0).sort((a, b) => b.by - a.by);
  for (const { by, links } of sorted) {
    if (by < LEAST * sorted[0].by) break;
    const others = links.filter((link) => !found.has(link));
    if (found.size && found.size + others.length > MOST_LINKS) continue;
    for (const link of others) found.set(link, by);
  }
  return [...found].map(([link, by]) => ({ link, by }));
}

/**
 * The rows on a change's paths: carrying links reach them, and they lead to the explained row.
 * @param {readonly Column[]} columns @param {ReadonlyMap<string, number>} counts
 * @param {readonly Link[]} carrying @param {Seed[]} reaches @param {Seed[]} comes
 */
function wayOf(columns, counts, carrying, reaches, comes) {
  const pairs = columns.map(() => /** @type {Set<string>} */ (new Set()));
  for (const { column, query, key } of carrying) pairs[column].add(`${query} ${key}`);
  const places = new Map(columns.map((column, n) => [column, n]));
  /** @type {WeightOf} */
  const carries = (column, i, j) => Number(pairs[places.get(column) ?? 0].has(`${i} ${j}`));
  const ahead = flow(columns, counts, carries, { reaches, comes: [] });
  const back = flow(columns, counts, carries, { reaches: [], comes });
  if (!reaches.length) return back;
  return ahead.map((rows, n) => rows.map((by, i) => Math.min(by, back[n][i])));
}

/** @param {Seed} seed */
const lanesOf = ({ stack, rows }) => rows.map((index) => ({ stack, index }));

/**
 * The mean distance that the numbers of each row moved; for links, the weights of each query.
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
 * The index of the strip that links read.
 * @param {readonly Column[]} columns @param {number} n the column of the links
 */
const readBy = (columns, n) =>
  columns.findLastIndex(({ stack, keys }, k) => k < n && !keys && stack === columns[n].keys);

/** Divides numbers by the largest of them. @param {Float64Array} moves */
function sharesOf(moves) {
  const most = Math.max(0, ...moves);
  return most ? moves.map((by) => by / most) : moves;
}

/**
 * The rows that moved in the first column with any move.
 * @param {readonly Column[]} columns @param {(n: number) => Float64Array} moves
 * @returns {Seed[]} empty if there are many rows
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
 * The visible links of a head that carry a part of the change.
 * @param {Matrix} matrix @param {number} column
 * @param {(matrix: Matrix, k: number, key: number, weight: number) => number} carries
 */
function linksOf(matrix, column, carries) {
  const { values, cols, entry } = matrix;
  const [, top, left] = entry.origin ?? ["", 0, 0];
  const block = entry.block?.[1] ?? 1;
  const found = /** @type {Omit<Link, "begins">[]} */ ([]);
  values?.forEach((weight, k) => {
    if (weight < LEAST_WEIGHT) return;
    const key = left + (k % cols) * block;
    const by = carries(matrix, k, key, Math.min(1, weight));
    if (by > 0) found.push({ column, query: top + Math.floor(k / cols), key, matrix, k, by });
  });
  return found;
}
