/**
 * The camera that shows the whole picture, and the limits with which the picture fills the view and
 * every number can be made readable.
 */

import {
  acrossOf,
  fit,
  EDGE as LEAST_EDGE,
  MAX_TALL_ALONE,
  PHONE_WIDTH,
  scales,
  tallOf,
  wideOf,
} from "./camera.js";
import { foldedTo, heightOf, NO_FOLDS } from "./folds.js";
import { LANE } from "./plan.js";
import { filmed, leftOut } from "./quiet.js";

/**
 * @import {Limits, Size} from "./camera.js"
 * @import {Gap} from "./folds.js"
 * @import {Plan, Rect} from "./plan.js"
 * @import {Reasons} from "./quiet.js"
 */

/** @type {Limits} */
export const NO_LIMITS = { tall: 0.02, deep: 6, wide: 1, most: 28, folds: NO_FOLDS };
/** CSS px for the words at the ends of the lanes, if the whole picture is in sight. */
export const ENDS = { left: 62, right: 74 };
/** From this multiple of the zoom at which the whole picture fits, nothing is left out. */
const OPENS = 1.4;
/** The width and height of a number in CSS px at the largest zoom. */
const NUMBER = 56;
const LINE = 15;
const EDGE = 14; // CSS px that stay free around the picture
/** The caption's place under a single stack: at most CSS px, and share of the view's height. */
const CAPTION = { most: 152, share: 0.25 };
const ROW = 10; // least CSS px of a row on a phone, so that every row keeps its word
const TITLES = 20; // CSS px for titles above such rows, and as much below them

/**
 * The size available to the whole picture: the view without the words at the ends of the lanes and,
 * for a single stack, without the caption's place.
 * @param {Plan} plan @param {Size} view @param {Reasons} reasons to show weights and symbols
 * @param {boolean} isFilmed whether a film moves the camera
 * @returns {Size}
 */
export function innerOf(plan, view, reasons, isFilmed) {
  // A lesson, a film and the curves of a run explain the picture themselves.
  const isExplained = isFilmed || reasons.isTold || reasons.isTrained;
  const isAlone = plan.lanes.size === 1 && !isExplained;
  const under = isAlone ? Math.min(CAPTION.most, CAPTION.share * view.height) : 0;
  const width = Math.max(60, view.width - ENDS.left - ENDS.right);
  return { width, height: view.height - under };
}

/**
 * The least height of a phone's view, in CSS px, in which every row keeps its word.
 * @param {Plan} plan
 */
export const heightOfRows = ({ height, secondary }) =>
  2 * TITLES + ((height - heightOf(Object.values(secondary).flat())) * ROW) / LANE;

/**
 * @param {Plan} plan @param {Size} view @param {Size} inner see `innerOf`
 * @param {Reasons} reasons to show weights and symbols
 * @param {boolean} isFilmed whether a film moves the camera
 * @returns {Limits}
 */
export function limitsIn(
  { width, height, secondary, least, parts, lanes },
  view,
  inner,
  reasons,
  isFilmed,
) {
  const most = lanes.size === 1 ? MAX_TALL_ALONE : undefined;
  const rowOf = (/** @type {readonly Gap[]} */ gaps) =>
    LANE * tallOf(height - heightOf(gaps), inner, most);
  const all = leftOut(isFilmed ? filmed(secondary) : secondary, reasons, rowOf);
  const gaps = all.toSorted((a, b) => a.from - b.from);
  // In a lesson, everything that the lesson mentions is in sight.
  const isPhone = view.width < PHONE_WIDTH && document.documentElement.dataset.lesson === undefined;
  const size = { width, height: height - heightOf(gaps) };
  const whole = Math.max(isPhone ? ROW / LANE : 0, tallOf(size.height, inner, most));
  // A part that a lesson unfolds must fit the view with its weights.
  const told = parts.filter(({ entry }) => reasons.isTold && entry.unfolded);
  const tall = Math.min(whole, ...told.map((part) => (view.height - 2 * LEAST_EDGE) / part.height));
  const wide = wideOf(size, inner, most);
  // The zoom up to which the whole picture is in sight.
  const zoom = Math.min(acrossOf(width, inner), tall * wide);
  const folds = { gaps, opens: OPENS * zoom };
  return { tall, deep: LINE / least.row, wide, most: NUMBER / least.cell, folds };
}

/**
 * @param {Plan} plan @param {Size} view @param {Size} inner see `innerOf` @param {Limits} limits
 * @param {Rect | null} inUse the place of weights with a selected or focused number
 */
export function wholeCamera(plan, view, inner, limits, inUse) {
  const camera = fit({ x: 0, y: 0, width: plan.width, height: plan.height }, inner, limits);
  const { down } = scales(camera);
  // A picture higher than the view starts with its titles, or shows the weights in use.
  const height = foldedTo(camera, plan.height);
  const isHigher = height * down > view.height - EDGE;
  const below = inUse ? inUse.y + inUse.height / 2 - view.height / 2 / down : -Infinity;
  const last = height - (view.height - EDGE / 2) / down;
  const y = isHigher ? Math.max(-TITLES / down, Math.min(below, last)) : camera.y;
  return { ...camera, x: camera.x - ENDS.left / camera.zoom, y };
}
