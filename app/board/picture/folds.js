/**
 * Folds: stretches of the height that the picture leaves out so that its rows stay high enough to
 * read (formulas, the lines under the titles, weights). They unfold as the camera comes nearer.
 */

/**
 * @typedef {object} Gap
 * @property {number} from its top, in units
 * @property {number} to its bottom, in units
 * @property {number} [share] of the height that is folded; by default all
 * @property {boolean} [staysShut] whether it stays folded even from near
 *
 * @typedef {object} Folds
 * @property {readonly Gap[]} gaps from top to bottom
 * @property {number} opens the zoom from which nothing is folded; 0: nothing is folded at any zoom
 *
 * @typedef {{zoom: number, folds: Folds}} Folded the part of a camera that determines the folds
 */

/** @type {Folds} */
export const NO_FOLDS = { gaps: [], opens: 0 };
export const OPENING = 1.2; // ratio of the zooms at which unfolding ends and begins

/** The share of a fold that is open, 0 … 1. @param {Folded} camera @param {Gap} gap */
function openness({ zoom, folds: { opens } }, { staysShut }) {
  if (staysShut) return 0;
  return zoom >= opens ? 1 : Math.max(0, ((zoom / opens) * OPENING - 1) / (OPENING - 1));
}

/** The sum of the folded heights. @param {readonly Gap[]} gaps */
export const heightOf = (gaps) =>
  gaps.reduce((sum, { from, to, share = 1 }) => sum + share * (to - from), 0);

/** The share of a gap that is folded now. @param {Folded} camera @param {Gap} gap */
const shutOf = (camera, gap) => (1 - openness(camera, gap)) * (gap.share ?? 1);

const SHUT = 0.5; // share of a gap above which its content is hidden while folded

/** Whether content at `y` is hidden now. @param {Folded} camera @param {number} y */
export const isFolded = (camera, y) =>
  camera.folds.gaps.some((gap) => {
    const { from, to, share = 1 } = gap;
    return y > from && y <= to && share > SHUT && openness(camera, gap) < 1;
  });

/** `y` minus the folded heights above it. @param {Folded} camera @param {number} y */
export function foldedTo(camera, y) {
  let at = y;
  for (const gap of camera.folds.gaps) {
    if (gap.from >= y) break;
    at -= shutOf(camera, gap) * (Math.min(gap.to, y) - gap.from);
  }
  return at;
}

/** The inverse of `foldedTo`. @param {Folded} camera @param {number} at */
export function unfoldedFrom(camera, at) {
  let y = at;
  for (const gap of camera.folds.gaps) {
    const { from, to } = gap;
    if (y <= from) return y;
    const shut = shutOf(camera, gap);
    const inside = from + (y - from) / (1 - shut);
    if (inside <= to) return inside;
    y += shut * (to - from);
  }
  return y;
}
