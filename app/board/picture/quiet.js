/**
 * Chooses what the picture leaves out. By default the picture is quiet: it shows rows, ribbons,
 * titles, a line of what each part does, and words. Weights, formulas, symbols and names of strips
 * appear from near, while a part is unfolded, and when something refers to them. If rows would be
 * too low to read, more is left out, the least important first.
 */

/**
 * @import {Gap} from "./folds.js"
 * @import {Plan} from "./plan.js"
 *
 * @typedef {object} Reasons to show weights and symbols from afar
 * @property {boolean} isAsked whether *Settings → all numbers* is on, or gradients are shown
 * @property {boolean} isOpened whether a part is unfolded
 * @property {boolean} isTold whether a lesson may refer to them
 * @property {boolean} isReached whether a weight is selected or has the focus
 * @property {boolean} isTrained whether a run is shown; counts only if rows are high
 */

const READ = 11; // CSS px, the wanted height of a row: more is left out until rows have this height
const WORTH = 1.25; // if they cannot have it, everything is left out only for this gain in height
/**
 * The share of the height of weights between two stacks that is left out if rows then have at least
 * ROOMY px. Words beside rows use the rest.
 */
const BETWEEN = 0.65;
const ROOMY = 15;

/** @param {Reasons} reasons */
const isAnyReason = (reasons) => Object.values(reasons).some(Boolean);

/**
 * Whether the picture is quiet.
 * @param {Reasons} reasons @param {{zoom: number, folds: {opens: number}}} camera
 */
export const isQuiet = (reasons, { zoom, folds }) => !isAnyReason(reasons) && zoom < folds.opens;

/**
 * Whether the next words of a row are shown as large bars over the probabilities: only while no
 * reason requires their numbers and the camera is not near.
 * @param {Reasons} reasons @param {{zoom: number, folds: {opens: number}}} camera
 */
export const showsBars = (reasons, camera) => isQuiet({ ...reasons, isReached: false }, camera);

/**
 * The secondary gaps during a film: weights and formulas stay folded even from near.
 * @param {Plan["secondary"]} secondary @returns {Plan["secondary"]}
 */
export function filmed({ formulas, weights, ...others }) {
  const shut = (/** @type {Gap} */ gap) => ({ ...gap, staysShut: true });
  return { ...others, formulas: formulas.map(shut), weights: weights.map(shut) };
}

/**
 * The gaps to leave out at the zoom at which the whole picture is in sight.
 * @param {Plan["secondary"]} secondary @param {Reasons} reasons
 * @param {(gaps: readonly Gap[]) => number} rowOf CSS px of a row if these gaps are left out
 */
export function leftOut({ formulas, lines, strips, weights }, reasons, rowOf) {
  const { isTold, isReached } = reasons;
  const isTrained = reasons.isTrained && rowOf(formulas) >= ROOMY;
  const words = [...formulas, ...lines, ...strips];
  if (!isAnyReason({ ...reasons, isTrained })) {
    const between = weights.slice(0, -1).map((gap) => ({ ...gap, share: BETWEEN }));
    const roomy = [...formulas, ...strips, ...between, ...weights.slice(-1)];
    const quiet = [...formulas, ...strips, ...weights];
    if (rowOf(roomy) >= ROOMY) return roomy;
    return rowOf(quiet) >= READ ? quiet : [...quiet, ...lines];
  }
  const all = isTold || isReached ? words : [...words, ...weights];
  // Formulas are always left out: they are illegible when the whole picture is in sight.
  const enough = [formulas, words, all].find((gaps) => rowOf(gaps) >= READ);
  return enough ?? (rowOf(all) > WORTH * rowOf([]) ? all : formulas);
}
