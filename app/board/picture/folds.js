/**
 * What a low view of the picture leaves out so that its rows stay high enough to be read: formulas,
 * the lines under the titles, weights. From near all of it is there: while the camera comes nearer,
 * it unfolds.
 */

/**
 * @typedef {object} Gap
 * @property {number} from a height of the picture, in units
 * @property {number} to
 * @property {number} [share] of it that is folded; else all of it
 *
 * @typedef {object} Folds
 * @property {readonly Gap[]} gaps what is folded, from top to bottom
 * @property {number} opens the zoom from which all of it is there; 0: it is there at any
 *
 * @typedef {{zoom: number, folds: Folds}} Folded as a camera is
 */

/** @type {Folds} */
export const NO_FOLDS = { gaps: [], opens: 0 };
export const OPENING = 1.2; // of the zoom, from where it begins to unfold to where it is there

/** Of what is folded, the share that has its room. @param {Folded} camera */
function openness({ zoom, folds: { gaps, opens } }) {
  if (!gaps.length || zoom >= opens) return 1;
  return Math.max(0, ((zoom / opens) * OPENING - 1) / (OPENING - 1));
}

/** @param {readonly Gap[]} gaps */
export const heightOf = (gaps) =>
  gaps.reduce((sum, { from, to, share = 1 }) => sum + share * (to - from), 0);

const SHUT = 0.5; // the share from which nothing is seen in what is being folded

/** Whether what stands at a height is left out now. @param {Folded} camera @param {number} y */
export const isFolded = (camera, y) =>
  openness(camera) < 1 &&
  camera.folds.gaps.some(({ from, to, share = 1 }) => y > from && y <= to && share > SHUT);

/** A height without what is folded above it. @param {Folded} camera @param {number} y */
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
