/** The shape, strength and thickness of a link. */

import { scientificText } from "../../components/shared/number_format.js";

/**
 * @typedef {object} Layer the links of one head
 * @property {Float32Array} values weights of the head
 * @property {number} head
 * @property {number} shift vertical offset of the head's links, px
 * @property {Float32Array} [strengths] opacity of each link, 0 … 1; by the weights if missing
 *
 * @typedef {object} LinkDrawing
 * @property {Layer[]} layers
 * @property {number} rows
 * @property {number} cols
 * @property {number} a x of the queries, CSS px
 * @property {number} b x of the keys, CSS px, on either side of `a`
 * @property {number} height
 * @property {number} step px between tokens
 * @property {(i: number) => number} yFrom y of a query
 * @property {(j: number) => number} yTo y of a key
 * @property {(i: number, j: number) => boolean} shown
 * @property {(i: number) => number} [middle] the horizontal position, 0 … 1, at which the links of
 *   a query turn from one y to the other; 0.5 by default
 * @property {string} which key that identifies the links accepted by `shown`, for caching
 */

export const MIN_WEIGHT = 0.005; // weaker links are not drawn

const SAMPLES = 128;

/**
 * The vertical position on a link, 0 … 1, by horizontal position. The link is a Bézier curve with
 * both control points in the middle.
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

/** @param {number} u horizontal position, 0 … 1 */
export function ease(u) {
  const x = Math.max(0, Math.min(1, u)) * SAMPLES;
  const k = Math.min(SAMPLES - 1, x | 0);
  return EASE[k] + (EASE[k + 1] - EASE[k]) * (x - k);
}

/**
 * Returns the vertical position on a link with both control points at `middle`; see `ease`.
 * @param {number} u horizontal position, 0 … 1 @param {number} middle horizontal position of both
 *   control points, 0 … 1
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

/** See `LinkDrawing.middle`. @param {LinkDrawing} drawing @param {number} i */
export const middleOf = ({ middle }, i) => middle?.(i) ?? 0.5;

/**
 * Adds the curve from a query to a key to a path, offset by `shift` px.
 * @param {Pick<CanvasPath, "moveTo" | "bezierCurveTo">} path @param {LinkDrawing} drawing
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

/** @param {number} weight @returns {number} the opacity of its link, 0 … 1 */
export const strength = (weight) => Math.min(1, 0.13 + 0.87 * Math.sqrt(weight));

/**
 * Opacity among thousands of links: proportional to the weight, so that strong links stand out.
 * @param {number} weight
 */
export const strengthInCrowd = (weight) => Math.min(1, 2 * weight);

/** @param {number} weight @param {number} step @returns {number} px */
export const thickness = (weight, step) => 0.5 + Math.min(8, step * 0.34) * Math.min(1, weight);

const TAKEN = 0.8; // largest share of a token's height that the links of all heads take

/**
 * Vertical offset of the k-th head: links with weight 1 lie side by side. The links of many heads
 * overlap, so that all stay at their token.
 * @param {number} k @param {number} count @param {number} step px between tokens
 * @param {number} [most] thickness of the thickest link, px
 */
export const shiftOf = (k, count, step, most = thickness(1, step)) =>
  (k - (count - 1) / 2) * Math.min(most, (step * TAKEN) / count);

/** A weight in a list: 0.421, or <.001 if it is small. @param {number | undefined} v */
export const weightText = (v) =>
  v !== undefined && v > 0 && v < 0.0005 ? "<.001" : weightInFull(v);

/** A weight shown alone: 0.421, or 4.8e−4 if it is small. @param {number | undefined} v */
export function weightInFull(v) {
  if (v === undefined) return "";
  if (Number.isNaN(v)) return "?"; // covered by a lesson
  if (v === 0) return "0";
  return v >= 0.0005 ? v.toFixed(3) : scientificText(v);
}
