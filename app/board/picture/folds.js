/**
 * Folds: heights that the picture leaves out so that its rows stay high enough to read: formulas,
 * the lines under the titles, weights. They unfold as the camera comes nearer.
 */

/**
 * @typedef {object} Gap
 * @property {number} from its top, in units
 * @property {number} to its bottom, in units
 * @property {number} [share] of it that is folded; by default all
 *
 * @typedef {object} Folds
 * @property {readonly Gap[]} gaps from top to bottom
 * @property {number} opens the zoom from which nothing is folded; 0: nothing ever is
 *
 * @typedef {{zoom: number, folds: Folds}} Folded the part of a camera that determines the folds
 */

/** @type {Folds} */
export const NO_FOLDS = { gaps: [], opens: 0 };
export const OPENING = 1.2; // ratio of the zooms at which unfolding ends and begins

/** How far folds are open, 0 … 1. @param {Folded} camera */
function openness({ zoom, folds: { gaps, opens } }) {
  if (!gaps.length || zoom >= opens) return 1;
  return Math.max(0, ((zoom / opens) * OPENING - 1) / (OPENING - 1));
}

/** The folded height. @param {readonly Gap[]} gaps */
export const heightOf = (gaps) =>
  gaps.reduce((sum, { from, to, share = 1 }) => sum + share * (to - from), 0);

const SHUT = 0.5; // share of a gap above which its content is hidden while folded

/** Whether content at a height is hidden now. @param {Folded} camera @param {number} y */
export const isFolded = (camera, y) =>
  openness(camera) < 1 &&
  camera.folds.gaps.some(({ from, to, share = 1 }) => y > from && y <= to && share > SHUT);

/** A height minus the folded heights above it. @param {Folded} camera @param {number} y */
export function foldedTo(camera, y) {
  const shut = 1 - openness(camera);
  if (!shut) return y;
  const above = camera.folds.gaps.map((gap) => ({ ...gap, to: Math.min(gap.to, y) }));
  return y - shut * heightOf(above.filter(({ from, to }) => to > from));
}

/** The inverse of `foldedTo`. @param {Folded} camera @param {number} at */
export function unfoldedFrom(camera, at) {
  const open = openness(camera);
  if (open === 1) return at;
  let y = at;
  for (const { from, to, share = 1 } of camera.folds.gaps) {
    if (y <= from) return y;
    const shut = (1 - open) * share;
    const inside = from + (y - from) / (1 - shut);
    if (inside <= to) return inside;
    y += shut * (to - from);
  }
  return y;
}
