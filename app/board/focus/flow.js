/**
 * Computes how strongly each row of the picture is connected to the focus. The residual stream
 * passes on the full strength; attention passes on a part in proportion to the weight of the link.
 */

/**
 * @import {LanesItem, StripItem, WholeEntry} from "../data/types.js"
 *
 * @typedef {object} Column a strip of rows, or the links between two stacks
 * @property {string} part
 * @property {string} stack stack of the rows; for links, of the queries
 * @property {string | null} keys stack of the keys; null for a strip
 * @property {number[]} matrices index of the strip's matrix, or one for each head
 *
 * @typedef {object} Seed the rows in which a flow begins
 * @property {number} column
 * @property {string} stack
 * @property {readonly number[]} rows
 *
 * @typedef {object} Seeds
 * @property {Seed[]} reaches starts of forward flows, to the rows computed from them
 * @property {Seed[]} comes starts of backward flows, to the rows from which they were computed
 *
 * @typedef {(column: Column, query: number, key: number) => number} WeightOf the mean attention
 *   weight of all heads, 0 … 1
 */

/** A picture's columns in order of computation. @param {WholeEntry} entry @returns {Column[]} */
export function columnsOf({ parts }) {
  return parts.flatMap(({ id, items }) => items.map((item) => columnOf(id, item)));
}

/** @param {string} part @param {StripItem | LanesItem} item */
function columnOf(part, item) {
  if ("lanes" in item) return { part, stack: item.stack, keys: item.keys, matrices: item.lanes };
  return { part, stack: item.stack, keys: null, matrices: [item.strip] };
}

/**
 * Computes the strength of every row of every strip, and of every link.
 * @param {readonly Column[]} columns
 * @param {ReadonlyMap<string, number>} counts rows of each stack
 * @param {WeightOf} weightOf
 * @param {Seeds} seeds
 * @returns {Float32Array[]} one array for each column, 0 … 1: for a strip, one strength per row;
 *   for links, one per query and key, row-major, as if every weight were 1
 */
export function flow(columns, counts, weightOf, { reaches, comes }) {
  const rows = (/** @type {string} */ stack) => counts.get(stack) ?? 0;
  const strengths = columns.map(
    ({ stack, keys }) => new Float32Array(rows(stack) * (keys === null ? 1 : rows(keys))),
  );
  const stream = () => new Map([...counts].map(([stack, n]) => [stack, new Float32Array(n)]));
  const at = (/** @type {Map<string, Float32Array>} */ state, /** @type {string} */ stack) =>
    state.get(stack) ?? new Float32Array(0);
  /** @param {Map<string, Float32Array>} state @param {readonly Seed[]} seeds @param {number} k */
  const sow = (state, seeds, k) => {
    for (const { column, stack, rows: sown } of seeds)
      if (column === k) for (const i of sown) at(state, stack)[i] = 1;
  };

  let state = stream();
  columns.forEach((column, k) => {
    sow(state, reaches, k);
    const own = at(state, column.stack);
    if (column.keys === null) {
      raise(strengths[k], own);
      return;
    }
    const before = at(state, column.keys);
    const after = own.slice();
    eachLink(own.length, before.length, (i, j, n) => {
      strengths[k][n] = Math.max(strengths[k][n], before[j]);
      after[i] = Math.max(after[i], weightOf(column, i, j) * before[j]);
    });
    state.set(column.stack, after);
  });

  state = stream();
  for (let k = columns.length - 1; k >= 0; k--) {
    const column = columns[k];
    sow(state, comes, k);
    const own = at(state, column.stack);
    if (column.keys === null) {
      raise(strengths[k], own);
      continue;
    }
    const after = own.slice(); // queries and keys may be rows of the same stack
    const keys = at(state, column.keys);
    eachLink(after.length, keys.length, (i, j, n) => {
      strengths[k][n] = Math.max(strengths[k][n], after[i]);
      keys[j] = Math.max(keys[j], weightOf(column, i, j) * after[i]);
    });
  }
  return strengths;
}

/** @param {Float32Array} strengths @param {Float32Array} by */
function raise(strengths, by) {
  for (let i = 0; i < strengths.length; i++) strengths[i] = Math.max(strengths[i], by[i]);
}

/**
 * @param {number} rows @param {number} cols @param {(i: number, j: number, n: number) => void} each
 */
function eachLink(rows, cols, each) {
  for (let n = 0; n < rows * cols; n++) each(Math.floor(n / cols), n % cols, n);
}
