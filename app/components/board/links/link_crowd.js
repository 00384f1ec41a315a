/**
 * Thousands of thin links as one picture: they are added up column by column in an array, which
 * takes a tenth of the time of stroking them one by one.
 */

import { make } from "../../shared/dom.js";
import { HEAD_COLORS } from "../paint/color.js";
import { contextOf } from "../paint/near_canvas.js";
import { ease, MIN_WEIGHT, strengthInCrowd, thickness } from "./curve.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {Layer, LinkDrawing} from "./curve.js"
 */

const COLUMN = 2; // px across that share one sum

/** Which pixels a link covers, from that of its beginning on, and how much of each. */
/** @typedef {{places: Int32Array, shares: Float32Array}} Stencil */

export class LinkCrowd {
  constructor() {
    /** The links of one head, and of all. */
    this.one = contextOf(make("canvas"));
    this.all = contextOf(make("canvas"));
    this.key = "";
    this.width = this.height = 1;
    this.image = this.one.createImageData(1, 1);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sums = new Float32Array(1);
    this.stencils = /** @type {Map<number, Stencil>} */ (new Map());
  }

  /**
   * @param {CanvasRenderingContext2D} ctx in CSS px @param {LinkDrawing} drawing
   * @param {Theme} theme @param {number} below the weight of a link that is in the crowd
   */
  paint(ctx, drawing, theme, below) {
    const { layers, a, b } = drawing;
    this.prepare(drawing);
    this.all.clearRect(0, 0, this.width, this.height);
    const { pixels, sums } = this;
    for (const layer of layers) {
      sums.fill(0);
      this.addUp(drawing, layer, below);
      const [red, green, blue] = theme.headRgb[layer.head % HEAD_COLORS];
      const color = ((blue << 16) | (green << 8) | red) >>> 0;
      for (let p = 0; p < pixels.length; p++) {
        const ink = sums[p];
        pixels[p] = ink > 0 ? ((((255 * ink) / (1 + ink)) << 24) | color) >>> 0 : 0;
      }
      this.one.putImageData(this.image, 0, 0);
      this.all.drawImage(this.one.canvas, 0, 0);
    }
    ctx.globalAlpha = 1;
    ctx.save();
    ctx.translate(a, 0);
    if (b < a) ctx.scale(-1, 1); // the picture begins where its links do
    ctx.drawImage(this.all.canvas, 0, 0, Math.abs(b - a), this.height);
    ctx.restore();
  }

  /** @param {LinkDrawing} drawing @param {Layer} layer @param {number} below */
  addUp({ rows, cols, step, yFrom, yTo, shown }, { values, shift }, below) {
    const { sums, width } = this;
    const aside = Math.round(shift);
    for (let i = 0; i < rows; i++) {
      const from = yFrom(i);
      const start = (Math.floor(from) + aside) * width;
      for (let j = 0; j < cols; j++) {
        const weight = values[i * cols + j];
        if (!(weight >= MIN_WEIGHT && weight < below) || !shown(i, j)) continue;
        const ink = strengthInCrowd(weight) * thickness(weight, step);
        const { places, shares } = this.stencil(from, yTo(j) - from);
        for (let n = 0; n < places.length; n++) sums[start + places[n]] += ink * shares[n];
      }
    }
  }

  /**
   * Links between rows equally far apart are alike, so a few dozen stencils serve thousands of
   * links, frame after frame.
   * @param {number} from px @param {number} drop px
   * @returns {Stencil}
   */
  stencil(from, drop) {
    const known = this.stencils.get(drop);
    if (known) return known;
    const places = [];
    const shares = [];
    const { width } = this;
    const start = from - Math.floor(from);
    for (let x = 0; x < width; x++) {
      const lean = Math.abs(drop * (ease((x + 1) / width) - ease(x / width)));
      // What a column of pixels has of the line: an upright box as dark as the line covers it.
      const box = Math.max(1, lean);
      const top = start + drop * ease((x + 0.5) / width) - box / 2;
      const bottom = top + box;
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

  /** Half as wide as it is shown. @param {LinkDrawing} drawing */
  prepare({ a, b, height, step, rows, cols }) {
    const key = [a, b, height, step, rows, cols].join();
    if (this.key === key) return;
    this.key = key;
    this.width = Math.max(1, Math.round(Math.abs(b - a) / COLUMN));
    this.height = Math.ceil(height);
    for (const { canvas } of [this.one, this.all])
      Object.assign(canvas, { width: this.width, height: this.height });
    this.image = this.one.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sums = new Float32Array(this.width * this.height);
    this.stencils.clear();
  }
}
