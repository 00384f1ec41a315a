/**
 * Draws links between two columns as curves. A few links are stroked one by one. Of thousands (60
 * tokens per side), thin links are drawn as one image, and thick links are stroked over it.
 */

import {
  easeAt,
  MIN_WEIGHT,
  middleOf,
  strength,
  strengthInCrowd,
  thickness,
  trace,
} from "./curve.js";
import { LinkCrowd } from "./link_crowd.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {Layer, LinkDrawing} from "./curve.js"
 */

/** With more links, thin links are drawn as an image, and all links turn in the middle. */
export const MAX_STROKES = 600;
export const MOST_COLORS = 3; // with more heads, only the strongest link of each pair is colored
export const STANDS_OUT = 0.3; // the least strength of an emphasized link
const THICK_WEIGHT = 0.2;
const LEAST_ALPHA = 0.01;
/** The largest number of emphasized links of one attention, and of bins to rank them. */
const MOST_STANDING_OUT = 160;
const BINS = 64;
const REACH = 6; // px around a link in which the pointer hits it
const NEARNESS = 0.5; // a distance of REACH counts as much as this weight
const ASIDE = 0.005; // horizontal step, 0 … 1, for the numerical slope of a curve

/** @typedef {{head: number, i: number, j: number}} Link */

export class LinkCurves {
  constructor() {
    this.crowd = /** @type {LinkCrowd | null} */ (null);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx in CSS px
   * @param {LinkDrawing} drawing
   * @param {Theme} theme
   * @param {(isSharper: boolean) => boolean} [mayDraw] whether there is time to redraw the image of
   *   thin links; `isSharper`: only the resolution changes, not the links
   * @returns {boolean} whether everything drawn is up to date
   */
  paint(ctx, drawing, theme, mayDraw = () => true) {
    const { layers } = drawing;
    const crowded = isCrowd(drawing);
    let isCurrent = true;
    if (crowded) {
      this.crowd ??= new LinkCrowd();
      isCurrent = this.crowd.paint(ctx, drawing, theme, THICK_WEIGHT, mayDraw);
    }
    for (const layer of layers)
      strokeLinks(ctx, drawing, layer, theme.headColor(layer.head), crowded);
    ctx.globalAlpha = 1;
    return isCurrent;
  }

  /**
   * Finds the drawn link at a point, by a score of its strength, weight and distance. If links have
   * strengths, only emphasized links can be hit.
   * @param {LinkDrawing} drawing @param {number} x @param {number} y
   */
  at(drawing, x, y) {
    const { layers, rows, cols, a, b, step, yFrom, yTo, shown } = drawing;
    const share = (x - a) / (b - a);
    if (share < 0 || share > 1) return null;
    const turned = Array.from({ length: rows }, (_, i) => middleOf(drawing, i));
    const across = turned.map((middle) => easeAt(share, middle));
    const slopes = turned.map(
      (middle) => (easeAt(share + ASIDE, middle) - easeAt(share - ASIDE, middle)) / (2 * ASIDE),
    );
    /** @type {Link | null} */
    let best = null;
    let least = Infinity;
    for (const { values, head, shift, strengths } of layers)
      for (let k = 0; k < rows * cols; k++) {
        const weight = values[k];
        if (strengths && strengths[k] < STANDS_OUT) continue;
        const i = Math.floor(k / cols);
        const j = k % cols;
        if (!(weight >= MIN_WEIGHT) || !shown(i, j)) continue;
        const from = yFrom(i);
        const down = yTo(j) - from;
        const middle = from + down * across[i] + shift;
        // The distance to a steep curve is less than the vertical distance.
        const lean = Math.hypot(1, (down * slopes[i]) / (b - a));
        const away = Math.abs(middle - y) / lean - thickness(weight, step) / 2;
        const near = (NEARNESS * Math.max(0, away)) / REACH;
        const score = near - weight - (strengths?.[k] ?? 0);
        if (away > REACH || score >= least) continue;
        least = score;
        best = { head, i, j };
      }
    return best;
  }
}

/** Whether there are enough links to draw thin ones as an image. @param {LinkDrawing} drawing */
function isCrowd({ layers, rows, cols, shown }) {
  let count = 0;
  for (const { values } of layers)
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < cols; j++) if (values[i * cols + j] >= MIN_WEIGHT && shown(i, j)) count++;
  return count > MAX_STROKES;
}

/**
 * Strokes the links of one head one by one.
 * @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing @param {Layer} layer
 * @param {string} color @param {boolean} [crowded] whether the thin links are already painted
 */
export function strokeLinks(ctx, drawing, { values, shift, strengths }, color, crowded = false) {
  const { rows, cols, step, shown } = drawing;
  const least = crowded ? THICK_WEIGHT : MIN_WEIGHT;
  const opacity = crowded ? strengthInCrowd : strength;
  ctx.strokeStyle = color;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const weight = values[i * cols + j];
      if (!(weight >= least) || !shown(i, j)) continue;
      const alpha = strengths ? strengths[i * cols + j] : opacity(weight);
      if (alpha < LEAST_ALPHA) continue;
      ctx.globalAlpha = alpha;
      ctx.lineWidth = thickness(weight, step);
      ctx.beginPath();
      trace(ctx, drawing, i, j, shift);
      ctx.stroke();
    }
  }
}

/**
 * Sets the strength of all but the strongest links to 0. Thousands of emphasized links would
 * overlap, and would take longer than a display frame.
 * @param {readonly Float32Array[]} weights of the links of each head
 * @param {readonly Float32Array[]} strengths of the same links; changed in place
 */
export function thinOut(weights, strengths) {
  const bins = new Uint32Array(BINS + 1);
  /** @param {number} n @param {number} k */
  const binOf = (n, k) => Math.round(BINS * Math.min(1, strengths[n][k] * weights[n][k]));
  let count = 0;
  for (let n = 0; n < strengths.length; n++)
    for (let k = 0; k < strengths[n].length; k++)
      if (strengths[n][k] > 0) {
        bins[binOf(n, k)]++;
        count++;
      }
  if (count <= MOST_STANDING_OUT) return;
  let least = BINS;
  let kept = bins[BINS];
  while (least > 0 && kept + bins[least - 1] <= MOST_STANDING_OUT) kept += bins[--least];
  for (let n = 0; n < strengths.length; n++)
    for (let k = 0; k < strengths[n].length; k++)
      if (strengths[n][k] > 0 && binOf(n, k) < least) strengths[n][k] = 0;
}

/**
 * Splits the strengths of one head's links into links in its color and gray links: with many heads,
 * only the strongest emphasized link of each pair is colored.
 * @param {Float32Array[]} weights of each head @param {number} n the head
 * @param {(Float32Array | null)[]} all strengths of the links of each head
 * @returns {[colored: Float32Array, gray: Float32Array]}
 */
export function byColor(weights, n, all) {
  const [own, strengths] = [weights[n], all[n]];
  const colored = new Float32Array(own.length);
  const gray = new Float32Array(own.length);
  if (!strengths) return [colored, gray];
  const onlyStrongest = weights.length > MOST_COLORS;
  for (let k = 0; k < own.length; k++) {
    if (strengths[k] < STANDS_OUT) continue;
    let hasColor = true;
    for (let m = 0; onlyStrongest && hasColor && m < weights.length; m++)
      hasColor = weights[m][k] <= own[k] || (all[m]?.[k] ?? 0) < STANDS_OUT;
    (hasColor ? colored : gray)[k] = strengths[k];
  }
  return [colored, gray];
}
