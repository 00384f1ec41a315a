/** Determines the focus, and the rows of the picture in which its flow begins. */

/**
 * @import {CellOf, Lane, MatrixEntry, WholeEntry} from "../data/types.js"
 * @import {Column, Seeds} from "./flow.js"
 *
 * @typedef {{kind: "word", of: Lane}} WordFocus
 * @typedef {{kind: "number", of: CellOf}} NumberFocus also a weight or a link
 * @typedef {WordFocus | NumberFocus} Focus
 */

/**
 * Returns the focus: the followed word, or else the selected number; null without both.
 * @param {Lane | null} followed @param {CellOf | null} selection @returns {Focus | null}
 */
export function focusOf(followed, selection) {
  if (followed) return { kind: "word", of: followed };
  return selection && { kind: "number", of: selection };
}

/**
 * Finds the rows in which the flow of a focus begins.
 * @param {Focus} focus @param {WholeEntry} entry @param {readonly Column[]} columns
 * @param {readonly MatrixEntry[]} matrices @returns {Seeds | null} null if not in the picture
 */
export function flowSourcesOf(focus, entry, columns, matrices) {
  return focus.kind === "word"
    ? seedsOfWord(focus.of, entry, columns)
    : seedsOfNumber(focus.of, entry, columns, matrices);
}

/**
 * The flow of a source word runs forward; the flow of a written word runs backward to its operands.
 * @param {Lane} lane @param {WholeEntry} entry @param {readonly Column[]} columns
 */
function seedsOfWord({ stack, index }, { stacks }, columns) {
  const lanes = stacks.find((each) => each.stack === stack);
  if (!lanes || index >= lanes.words.length) return null;
  const rows = [index];
  return index < lanes.right.length
    ? { reaches: [], comes: [{ column: columns.length - 1, stack, rows }] }
    : { reaches: [{ column: 0, stack, rows }], comes: [] };
}

/**
 * @param {CellOf} cell @param {WholeEntry} entry @param {readonly Column[]} columns
 * @param {readonly MatrixEntry[]} matrices
 */
function seedsOfNumber({ path, i, j }, entry, columns, matrices) {
  const isIt = (/** @type {number} */ index) => pathOf(matrices[index]) === path;
  const k = columns.findIndex((column) => column.matrices.some(isIt));
  if (k < 0) return seedsOfWeight(i, entry, columns, matrices, isIt);
  const { stack, keys } = columns[k];
  if (keys === null) {
    const seeds = [{ column: k, stack, rows: [i] }];
    return { reaches: seeds, comes: seeds };
  }
  return {
    reaches: [{ column: k + 1, stack, rows: [i] }],
    comes: [{ column: k - 1, stack: keys, rows: [j] }],
  };
}

/**
 * A parameter affects all rows from its part on; a row of an embedding table, only its token.
 * @param {number} i its row @param {WholeEntry} entry @param {readonly Column[]} columns
 * @param {readonly MatrixEntry[]} matrices @param {(index: number) => boolean} isIt
 */
function seedsOfWeight(i, { stacks, parts }, columns, matrices, isIt) {
  for (const { id, kind, stack, tiles, items } of parts) {
    const under = items.flatMap((item) => ("under" in item ? item.under : []));
    const tile = [...tiles.flatMap((each) => each.tiles), ...under].find(isIt);
    if (tile === undefined) continue;
    const column = columns.findIndex(({ part }) => part === id);
    const words = stacks.find((each) => each.stack === stack)?.words ?? [];
    const token = kind === "input" ? matrices[tile].row_labels[i] : null;
    const rows = words.flatMap((word, k) => (token === null || word === token ? [k] : []));
    return { reaches: [{ column, stack, rows }], comes: [] };
  }
  return null;
}

/** The path of the whole matrix that an entry shows. @param {MatrixEntry} entry */
export const pathOf = ({ path, origin }) => origin?.[0] ?? path;
