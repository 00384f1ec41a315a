/** Computes the camera for each scene of a film. */

import { fit, panned, placeDown } from "../picture/camera.js";
import { HEAD, LANE } from "../picture/plan.js";

/**
 * @import {Camera, Limits, Size} from "../picture/camera.js"
 * @import {Plan, Rect} from "../picture/plan.js"
 *
 * @typedef {object} FramedScene the properties of a scene that determine the camera
 * @property {"all" | "parts" | "row"} camera
 * @property {string[]} parts
 * @property {[stack: string, index: number] | null} lane
 * @property {boolean} writes whether likeliest words are shown at the end of the row
 */

/** CSS px that stay free around the frame: at the top for headings, at the left for words. */
const FREE = { top: 96, bottom: 36, left: 104, right: 48, narrow: 84 };
const NARROW = 600;
/** The bar of a probability of 1: as a share of the view, at most CSS px, and CSS px on a phone. */
const FULL = { share: 0.14, most: 200, narrow: 44 };
/** Room right of a row: CSS px for its word, multiple of a full bar; all CSS px on a phone. */
const BARS = { word: 100, bar: 1.75, narrow: 118 };
/** The height of the headings above a stack, in units of the picture. */
const HEADINGS = HEAD.title + HEAD.words + HEAD.strip + HEAD.arc;
const NEAR = 1.6; // visible lanes above and below a single row

/** The length of a probability of 1, CSS px. @param {number} width of the view */
export const fullBar = (width) =>
  width < NARROW ? FULL.narrow : Math.min(FULL.most, FULL.share * width);

/**
 * The rectangle that a scene frames, in units of the picture; null for the whole picture.
 * @param {FramedScene} scene @param {Plan} plan @returns {Rect | null}
 */
export function framed({ camera, parts, lane }, plan) {
  if (camera === "all" || !parts.length) return null;
  const shown = plan.parts.filter(({ entry }) => parts.includes(entry.id));
  const boxes = [
    ...shown.map((part) => part.lanes),
    ...plan.links.filter(({ part }) => parts.includes(part)).map(({ box }) => box),
  ];
  if (!boxes.length) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  let y = Math.min(...boxes.map((box) => box.y));
  let bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const lanes = lane && plan.lanes.get(lane[0]);
  if (camera === "row" && lane && lanes) {
    y = lanes.top + (lane[1] - NEAR) * LANE;
    bottom = lanes.top + (lane[1] + 1 + NEAR) * LANE;
  }
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The camera for a scene.
 * @param {FramedScene} scene @param {Plan} plan @param {Size} view @param {Limits} limits
 * @param {Camera} fitted camera that shows the whole picture
 */
export function cameraOf(scene, plan, view, limits, fitted) {
  const rect = framed(scene, plan);
  if (!rect) return fitted;
  const narrow = view.width < NARROW;
  const bars = narrow ? BARS.narrow : BARS.word + BARS.bar * fullBar(view.width);
  const right = scene.writes ? bars : FREE.right;
  const left = narrow ? FREE.narrow : FREE.left;
  const inner = {
    width: Math.max(60, view.width - left - right),
    height: Math.max(60, view.height - FREE.top - FREE.bottom),
  };
  const camera = panned(fit(rect, inner, limits, 0), left, FREE.top);
  return panned(camera, 0, apart(rect, plan, view, camera));
}

/**
 * CSS px by which to move the picture down so that no other stack is visible above or below the
 * frame, as far as the frame can move.
 * @param {Rect} rect the frame @param {Plan} plan @param {Size} view @param {Camera} camera
 */
function apart(rect, plan, view, camera) {
  const [top, bottom] = [rect.y, rect.y + rect.height];
  const at = (/** @type {number} */ y) => placeDown(camera, y);
  const stacks = [...plan.lanes.values()];
  const above = stacks.map((lanes) => lanes.top + lanes.count * LANE).filter((y) => y <= top);
  const below = stacks.map((lanes) => lanes.top - HEADINGS).filter((y) => y >= bottom);
  const up = Math.min(Math.max(0, at(Math.max(...above))), Math.max(0, at(top) - FREE.top));
  const low = Math.max(0, view.height - at(Math.min(...below)));
  return Math.min(low, Math.max(0, view.height - FREE.bottom - at(bottom))) - up;
}
