/**
 * What the picture leaves out. At first it is quiet: rows, ribbons, titles, what each part does,
 * and words. Weights, formulas, symbols and the names of strips are there from near, beside a part
 * that is opened, and where something refers to them. Where rows would be too low to be read, more
 * is left out, the least important first.
 */

/**
 * @import {Gap} from "./folds.js"
 * @import {Plan} from "./plan.js"
 *
 * @typedef {object} Reasons for which weights and symbols are shown from afar
 * @property {boolean} isAsked by *Settings → all numbers*, or as gradients and changes are shown
 * @property {boolean} isOpened a part shows every step
 * @property {boolean} isTold a lesson may refer to them
 * @property {boolean} isReached a number of weights is selected, or has the focus
 * @property {boolean} isTrained a model learns, and moves them
 */

/**
 * Things are left out until rows have so many CSS px; or, where they never have, if rows become so
 * many times as high by it. While a model learns, its weights stay as long as rows have fewer px.
 */
const READ = 11;
const WORTH = 1.25;
const SEEN = 9;
/**
 * Of the room of weights between two stacks, what is left out where rows have so many px: words
 * beside rows stand in the rest.
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
 * Whether the next words of a row stand as large bars over the probabilities, whose numbers nobody
 * asks for.
 * @param {Reasons} reasons @param {{zoom: number, folds: {opens: number}}} camera
 */
export const showsBars = (reasons, camera) => isQuiet({ ...reasons, isReached: false }, camera);

/**
 * What is left out at the zoom at which all of the picture is in sight.
 * @param {Plan["secondary"]} secondary @param {Reasons} reasons
 * @param {(gaps: readonly Gap[]) => number} rowOf CSS px of a row where these are left out
 * @returns {Gap[]}
 */
export function leftOut({ formulas, lines, strips, weights }, reasons, rowOf) {
  if (!isAnyReason(reasons)) {
    const between = weights.slice(0, -1).map((gap) => ({ ...gap, share: BETWEEN }));
    const roomy = [...formulas, ...strips, ...between, ...weights.slice(-1)];
    const quiet = [...formulas, ...strips, ...weights];
    if (rowOf(roomy) >= ROOMY) return roomy;
    return rowOf(quiet) >= READ ? quiet : [...quiet, ...lines];
  }
  const words = [...formulas, ...lines, ...strips];
  const { isTold, isReached, isTrained } = reasons;
  const keepsWeights = isTold || isReached || (isTrained && rowOf(words) >= SEEN);
  const all = keepsWeights ? words : [...words, ...weights];
  // No formula can be read where all is in sight.
  const enough = [formulas, words, all].find((gaps) => rowOf(gaps) >= READ);
  return enough ?? (rowOf(all) > WORTH * rowOf([]) ? all : formulas);
}
