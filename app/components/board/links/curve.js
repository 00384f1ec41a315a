/** How one link looks: its curve, and how strong and thick its weight makes it. */

import { scientificText } from "../../shared/number_format.js";

/**
 * @typedef {object} Layer the links of one head
 * @property {Float32Array} values its weights
 * @property {number} head
 * @property {number} shift px by which its links are moved
 * @property {Float32Array} [strengths] how opaque each is, 0 … 1; by its weight where there are none
 *
 * @typedef {object} LinkDrawing
 * @property {Layer[]} layers
 * @property {number} rows
 * @property {number} cols
 * @property {number} a where links begin, in CSS px from the left
 * @property {number} b where they end, to the right of that or to the left
 * @property {number} height
 * @property {number} step px from token to token
 * @property {(i: number) => number} yFrom the height of a query
 * @property {(j: number) => number} yTo the height of a key
 * @property {(i: number, j: number) => boolean} shown
 * @property {(i: number) => number} [middle] how far across, 0 … 1, the links of a query turn from
 *   the height of the one to that of the other; half way where nothing is said
 * @property {string} which names what `shown` lets through: the same name, the same links
 */

export const MIN_WEIGHT = 0.005; // weaker links are not drawn

const SAMPLES = 128;

/**
 * Where a curve is between its ends, 0 … 1, by how far across it is: the Bézier curve with both
 * handles in the middle.
 */
const EASE = Float32Array.from({ length: SAMPLES + 1 }, (_, k) => {
  let low = 0;
  let high = 1;
  for (let n = 0; n < 24; n++) {
    const t = (low + high) / 2;
    if (1.5 * t - 1.5 * t * t + t * t * t < k / SAMPLES) low = t;
    else high = t;
  }
  return 3 * low * low - 2 * low * low * low;
});

/** @param {number} u how far across, 0 … 1 */
export function ease(u) {
  const x = Math.max(0, Math.min(1, u)) * SAMPLES;
  const k = Math.min(SAMPLES - 1, x | 0);
  return EASE[k] + (EASE[k + 1] - EASE[k]) * (x - k);
}

/**
 * The same where both handles are somewhere else.
 * @param {number} u how far across, 0 … 1 @param {number} middle where both handles are, 0 … 1
 */
export function easeAt(u, middle) {
  if (middle === 0.5) return ease(u);
  let low = 0;
  let high = 1;
  for (let n = 0; n < 16; n++) {
    const t = (low + high) / 2;
    if (3 * middle * t * (1 - t) + t * t * t < u) low = t;
    else high = t;
  }
  return 3 * low * low - 2 * low * low * low;
}

/** Where the links of a query turn, 0 … 1. @param {LinkDrawing} drawing @param {number} i */
export const middleOf = ({ middle }, i) => middle?.(i) ?? 0.5;

/**
 * The way of a link from a query to a key, moved by so many px.
 * @param {CanvasPath} path @param {LinkDrawing} drawing
 * @param {number} i @param {number} j @param {number} [shift]
 */
export function trace(path, drawing, i, j, shift = 0) {
  const { a, b, yFrom, yTo } = drawing;
  const handle = a + (b - a) * middleOf(drawing, i);
  const from = yFrom(i) + shift;
  const to = yTo(j) + shift;
  path.moveTo(a, from);
  path.bezierCurveTo(handle, from, handle, to, b, to);
}

/** @param {number} weight @returns {number} how opaque its link is, 0 … 1 */
export const strength = (weight) => Math.min(1, 0.13 + 0.87 * Math.sqrt(weight));

/**
 * Among thousands only what is strong may stand out: ink in proportion to the weight.
 * @param {number} weight
 */
export const strengthInCrowd = (weight) => Math.min(1, 2 * weight);

/** @param {number} weight @param {number} step @returns {number} px */
export const thickness = (weight, step) => 0.5 + Math.min(7, step * 0.34) * Math.min(1, weight);

/**
 * Heads side by side: each a little lower than the last, so that none hides another.
 * @param {number} k @param {number} count @param {number} step
 */
export const shiftOf = (k, count, step) =>
  (k - (count - 1) / 2) * Math.min(2.6, (step * 0.5) / count);

/** 0.421, or 4.8e−4 where that says nothing. @param {number | undefined} v */
export function weightText(v) {
  if (v === undefined) return "";
  if (Number.isNaN(v)) return "?"; // it is covered
  if (v === 0) return "0";
  return v >= 0.0005 ? v.toFixed(3) : scientificText(v);
}
