/** Reads a manifest, in which matrices refer to shared axes by index. */

/** @import {Axis, Manifest, MatrixEntry} from "./types.js" */

/** @param {string} json @returns {Manifest} */
export function readManifest(json) {
  const { axes, ...manifest } = JSON.parse(json);
  for (const entry of manifest.matrices)
    label(entry, entry.axes?.map((/** @type {number} */ k) => axes[k]) ?? [NONE, NONE]);
  return manifest;
}

/** Reads the changes of a matrix's entry. @param {string} json @returns {Partial<MatrixEntry>} */
export function readChange(json) {
  const { axes, ...change } = JSON.parse(json);
  if (axes) label(change, axes);
  return change;
}

/** @type {Axis} */
const NONE = { labels: [] };

/** @param {Partial<MatrixEntry>} entry @param {Axis[]} axes of its rows and columns */
function label(entry, [rows, columns]) {
  /** @type {MatrixEntry["lanes"]} */
  const lanes = [rows.stack ?? null, columns.stack ?? null];
  entry.row_labels = rows.labels;
  entry.col_labels = columns.labels;
  entry.row_names = rows.names;
  entry.col_names = columns.names;
  entry.lanes = lanes.some(Boolean) ? lanes : undefined;
}
