/**
 * Links between two columns as curves. A few are stroked one by one. Where there are thousands (60 tokens a side), thin
 * ones are added up column by column in an array instead, which takes a tenth of the time; thick ones lie over them.
 */

import { scientificText } from "../../shared/number_format.js";

export const LEAST_WEIGHT = 0.005; // weaker links are not drawn
const MOST_STROKES = 600;
const THICK_WEIGHT = 0.2;
const COLUMN = 2; // px across that share one sum
const CURVE = 128;

/** Where a curve is between its ends, 0 … 1, by how far across it is: the Bézier curve with both handles in the middle. */
const EASE = Float32Array.from({ length: CURVE + 1 }, (_, k) => {
  let low = 0,
    high = 1;
  for (let n = 0; n < 24; n++) {
    const t = (low + high) / 2;
    if (1.5 * t - 1.5 * t * t + t * t * t < k / CURVE) low = t;
    else high = t;
  }
  return 3 * low * low - 2 * low * low * low;
});

/** @param {number} u how far across, 0 … 1 */
function ease(u) {
  const x = Math.max(0, Math.min(1, u)) * CURVE,
    k = Math.min(CURVE - 1, x | 0);
  return EASE[k] + (EASE[k + 1] - EASE[k]) * (x - k);
}

const strength = (weight) => Math.min(1, 0.13 + 0.87 * Math.sqrt(weight));
// Among thousands only what is strong may stand out: ink in proportion to the weight.
const strengthInCrowd = (weight) => Math.min(1, 2 * weight);
const thickness = (weight, step) => 0.5 + Math.min(7, step * 0.34) * Math.min(1, weight);

/**
 * @typedef {{values: Float32Array, head: number, shift: number}} Layer one head; shift: px by which its links are moved
 * @typedef {{layers: Layer[], rows: number, cols: number, a: number, b: number, height: number, step: number,
 *   yFrom: (i: number) => number, yTo: (j: number) => number, shown: (i: number, j: number) => boolean}} Drawing
 */

export class Strands {
  constructor() {
    /** @type {CanvasRenderingContext2D[]} the thin links of one head, and of all */
    [this.one, this.all] = [0, 1].map(() => document.createElement("canvas").getContext("2d"));
  }

  /** @param {CanvasRenderingContext2D} ctx in CSS px @param {Drawing} drawing @param {Theme} theme */
  paint(ctx, drawing, theme) {
    const { layers, rows, cols, shown } = drawing;
    let count = 0;
    for (const { values } of layers)
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < cols; j++)
          if (values[i * cols + j] >= LEAST_WEIGHT && shown(i, j)) count++;
    const crowd = count > MOST_STROKES;
    if (crowd) this.gather(ctx, drawing, theme);
    for (const layer of layers)
      this.stroke(ctx, drawing, layer, theme.heads[layer.head % 8], crowd);
    ctx.globalAlpha = 1;
  }

  stroke(ctx, { rows, cols, a, b, step, yFrom, yTo, shown }, { values, shift }, color, crowd) {
    const middle = (a + b) / 2;
    const least = crowd ? THICK_WEIGHT : LEAST_WEIGHT,
      dark = crowd ? strengthInCrowd : strength;
    ctx.strokeStyle = color;
    for (let i = 0; i < rows; i++) {
      const y = yFrom(i) + shift;
      for (let j = 0; j < cols; j++) {
        const weight = values[i * cols + j];
        if (!(weight >= least) || !shown(i, j)) continue;
        const end = yTo(j) + shift;
        ctx.globalAlpha = dark(weight);
        ctx.lineWidth = thickness(weight, step);
        ctx.beginPath();
        ctx.moveTo(a, y);
        ctx.bezierCurveTo(middle, y, middle, end, b, end);
        ctx.stroke();
      }
    }
  }

  /** All thin links as one picture, half as wide as it is shown. @param {CanvasRenderingContext2D} ctx */
  gather(ctx, drawing, theme) {
    const { layers, a, b } = drawing;
    this.prepare(drawing);
    this.all.clearRect(0, 0, this.width, this.height);
    for (const layer of layers) {
      this.sums.fill(0);
      this.addUp(drawing, layer);
      const [red, green, blue] = theme.headRgb[layer.head % 8],
        color = ((blue << 16) | (green << 8) | red) >>> 0;
      const { pixels, sums } = this;
      for (let p = 0; p < pixels.length; p++) {
        const ink = sums[p];
        pixels[p] = ink > 0 ? ((((255 * ink) / (1 + ink)) << 24) | color) >>> 0 : 0;
      }
      this.one.putImageData(this.image, 0, 0);
      this.all.drawImage(this.one.canvas, 0, 0);
    }
    ctx.globalAlpha = 1;
    ctx.drawImage(this.all.canvas, a, 0, b - a, this.height);
  }

  addUp({ rows, cols, step, yFrom, yTo, shown }, { values, shift }) {
    const { sums, width } = this,
      aside = Math.round(shift);
    for (let i = 0; i < rows; i++) {
      const from = yFrom(i),
        start = (Math.floor(from) + aside) * width;
      for (let j = 0; j < cols; j++) {
        const weight = values[i * cols + j];
        if (!(weight >= LEAST_WEIGHT && weight < THICK_WEIGHT) || !shown(i, j)) continue;
        const ink = strengthInCrowd(weight) * thickness(weight, step),
          { places, shares } = this.stencil(from, yTo(j) - from);
        for (let n = 0; n < places.length; n++) sums[start + places[n]] += ink * shares[n];
      }
    }
  }

  /**
   * Which pixels a link covers, and how much of each. Links between rows equally far apart are alike, so a few dozen
   * stencils serve thousands of links, frame after frame.
   */
  stencil(from, drop) {
    const known = this.stencils.get(drop);
    if (known) return known;
    const places = [],
      shares = [],
      { width } = this,
      start = from - Math.floor(from);
    for (let x = 0; x < width; x++) {
      const lean = Math.abs(drop * (ease((x + 1) / width) - ease(x / width)));
      // What a column of pixels has of the line: an upright box as dark as the line covers it.
      const box = Math.max(1, lean),
        top = start + drop * ease((x + 0.5) / width) - box / 2,
        bottom = top + box;
      const share = Math.sqrt(1 + (lean / COLUMN) ** 2) / box;
      for (let row = Math.floor(top); row < bottom; row++) {
        places.push(row * width + x);
        shares.push(share * (Math.min(bottom, row + 1) - Math.max(top, row)));
      }
    }
    const made = { places: Int32Array.from(places), shares: Float32Array.from(shares) };
    this.stencils.set(drop, made);
    return made;
  }

  prepare({ a, b, height, step, rows, cols }) {
    const key = [a, b, height, step, rows, cols].join();
    if (this.key === key) return;
    this.key = key;
    this.width = Math.max(1, Math.round((b - a) / COLUMN));
    this.height = Math.ceil(height);
    for (const { canvas } of [this.one, this.all])
      Object.assign(canvas, { width: this.width, height: this.height });
    this.image = this.one.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sums = new Float32Array(this.width * this.height);
    this.stencils = new Map();
  }

  /** The link at a place, the nearest of those that are drawn. @returns {{head: number, i: number, j: number} | null} */
  at({ layers, rows, cols, a, b, step, yFrom, yTo, shown }, x, y) {
    if (x < a || x > b) return null;
    const across = ease((x - a) / (b - a));
    let best = null,
      least = Infinity;
    for (const { values, head, shift } of layers)
      for (let i = 0; i < rows; i++)
        for (let j = 0; j < cols; j++) {
          const weight = values[i * cols + j];
          if (!(weight >= LEAST_WEIGHT) || !shown(i, j)) continue;
          const from = yFrom(i);
          const away =
            Math.abs(from + (yTo(j) - from) * across + shift - y) - thickness(weight, step) / 2;
          if (away > 4) continue;
          const score = Math.max(0, away) - weight; // of links one over the other the strongest
          if (score < least) {
            least = score;
            best = { head, i, j };
          }
        }
    return best;
  }
}

/** 0.421, or 4.8e−4 where that says nothing. */
export const weightText = (v) =>
  v === undefined
    ? ""
    : v === 0 || v >= 0.0005
      ? v === 0
        ? "0"
        : v.toFixed(3)
      : scientificText(v);

/** Heads side by side: each a little lower than the last, so that none hides another. */
export const shiftOf = (k, count, step) =>
  (k - (count - 1) / 2) * Math.min(2.6, (step * 0.5) / count);
