/** The camera that shows one part of the picture. */

import { centered, fit, fitAcross, narrower } from "./camera.js";
import { NO_FOLDS } from "./folds.js";
import { LANE } from "./plan.js";
import { ENDS } from "./whole_camera.js";

/**
 * @import {Lane} from "../data/types.js"
 * @import {Limits, Rows, Size} from "./camera.js"
 * @import {PlacedPart, Plan, Rect} from "./plan.js"
 */

const MARGIN = 34;
const WORDS = 84; // CSS px that the words of the rows take at the left edge of the view

/**
 * @param {PlacedPart} part @param {Plan} plan @param {Size} view @param {Limits} limits
 * @param {Lane | null} followed the lane that is followed
 * @param {boolean} isTold whether a lesson may refer to all of the part
 */
export function partCamera(part, plan, view, limits, followed, isTold) {
  // The written words are right of the last part.
  const end = part.x + part.width;
  const isLast = plan.parts.every(({ x, width }) => x + width <= end);
  const inner = isLast ? narrower(view, ENDS.right) : view;
  if (!part.entry.unfolded) return nearPart(part, plan, inner, limits);
  const rows = { ...rowsOf(part, plan, followed), isWhole: isTold };
  return fitAcross(part, plan, inner, limits, WORDS, rows);
}

/**
 * Shows a part in the middle of the view, near enough that nothing of it is left out: the whole
 * part, or, if that does not fit so near, its rows.
 * @param {PlacedPart} part @param {Plan} plan @param {Size} view @param {Limits} limits
 */
export function nearPart(part, plan, view, limits) {
  const { gaps, opens } = limits.folds;
  if (!gaps.length) return fit(part, view, limits, MARGIN);
  const rows = { ...part, height: rowsOf(part, plan).height };
  const zoomTo = (/** @type {Rect} */ rect) =>
    fit(rect, view, { ...limits, folds: NO_FOLDS }, MARGIN).zoom;
  const shown = zoomTo(part) >= opens ? part : rows;
  const middle = { x: part.x + part.width / 2, y: part.y + shown.height / 2 };
  return centered(middle, Math.max(zoomTo(shown), opens), view, limits);
}

/**
 * The rows of a part that are to be in sight.
 * @param {PlacedPart} part @param {Plan} plan @param {Lane | null} [followed] @returns {Rows}
 */
function rowsOf({ entry, y, lanes }, plan, followed = null) {
  const strips = plan.matrices.filter(({ part }) => part === entry.id);
  const names = Math.max(0, ...strips.map((strip) => strip.names ?? 0));
  const isOwn = followed && plan.lanes.get(followed.stack)?.top === lanes.y;
  return {
    height: lanes.y + lanes.height + names - y,
    cell: Math.max(1, ...strips.filter(({ kind }) => kind === "strip").map(({ cell }) => cell)),
    at: isOwn ? lanes.y + (followed.index + 0.5) * LANE : null,
  };
}
