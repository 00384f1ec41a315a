/** Computes the camera for each scene of a film. */

import { fit, panned } from "../picture/camera.js";
import { LANE } from "../picture/plan.js";

/**
 * @import {Camera, Limits, Size} from "../picture/camera.js"
 * @import {Plan, Rect} from "../picture/plan.js"
 *
 * @typedef {object} FramedScene the properties of a scene that determine the camera
 * @property {"all" | "parts" | "row"} camera
 * @property {string[]} parts
 * @property {[stack: string, index: number] | null} lane
 * @property {boolean} writes whether words are shown at the end of the row
 */

/** CSS px that stay free around the frame: at the top for headings, at the left for words. */
const FREE = { top: 96, bottom: 36, left: 104, right: 48, narrow: 64 };
const NARROW = 600;
/** CSS px of a probability of 1: as a share of the view, at most, and on a phone. */
const FULL = { share: 0.14, most: 200, narrow: 44 };
/** CSS px of the likeliest words: the word of the row before them, and times a full bar. */
const BARS = { word: 100, bar: 1.75, narrow: 118 };
const NEAR = 1.6; // lanes above and below a single row

/** CSS px that a probability of 1 is long. @param {number} width of the view */
export const fullBar = (width) =>
  width < NARROW ? FULL.narrow : Math.min(FULL.most, FULL.share * width);

/**
 * The rectangle that a scene frames, in units of the picture; null for the whole picture.
 * @param {FramedScene} scene @param {Plan} plan
 * @returns {Rect | null}
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
 * @param {Camera} fitted shows the whole picture
 * @returns {Camera}
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
  const camera = fit(rect, inner, limits, 0);
  return panned(camera, left, FREE.top);
}
