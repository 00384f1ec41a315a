/** Checks whether two structures of the picture differ only by the words on their lanes. */

/** @import {LanesEntry, Manifest, MatrixEntry} from "./types.js" */

/**
 * @param {Manifest | null} before @param {Manifest} now
 * @returns {boolean} whether the same matrices are in the same places, with other words
 */
export const isRenamed = (before, now) =>
  Boolean(before?.whole && now.whole) && shapeOf(before) === shapeOf(now);

/** A structure without its words, as text. @param {Manifest | null} manifest */
function shapeOf(manifest) {
  if (!manifest) return "";
  const { matrices, whole, version: _, structure: __, ...rest } = manifest;
  const stacks = whole?.stacks.map(lengthsOf);
  return JSON.stringify([matrices.map(withoutWords), { ...whole, stacks }, rest]);
}

/** Removes labels along lanes; `rows`, `cols` count them. @param {MatrixEntry} entry */
function withoutWords({ row_labels, row_names, col_labels, col_names, ...rest }) {
  const rows = rest.lanes?.[0] ? null : [row_labels, row_names];
  const columns = rest.lanes?.[1] ? null : [col_labels, col_names];
  return [rest, rows, columns];
}

/** Keeps the number of words, and which lanes have a right word. @param {LanesEntry} lanes */
const lengthsOf = ({ stack, title, words, right, allowed, room }) => [
  room,
  stack,
  title,
  words.length,
  right.map((word) => word === null),
  allowed.length,
];
