/**
 * Paints a matrix without numbers: one pixel per cell, scaled up without smoothing. Even a million
 * cells take a single copy.
 */

import { make } from "../../components/shared/dom.js";
import { REACHED } from "../data/flags.js";
import { paintMarks, paintReached } from "./cells.js";
import { shadeOf } from "./color.js";
import { contextOf } from "./near_canvas.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Surface} from "./cells.js"
 */

/** The least sizes of a cell, in CSS px, that allow a gap between cells and marks. */
const WITH_GAP = 8;
const WITH_MARK = 6;
/**
 * Offset of the scaled picture, in device px. If the edge of a cell is at the center of a pixel,
 * rounding could assign the pixel to either cell; the offset always assigns it to the next cell.
 */
const NUDGE = 1 / 256;

export class PixelHeatmap {
  constructor() {
    this.small = /** @type {CanvasRenderingContext2D | null} */ (null);
    this.image = /** @type {ImageData | null} */ (null);
  }

  /**
   * @param {Surface} surface @param {Matrix} matrix @param {Float32Array} values
   * @param {Float32Array | null} strengths of each cell, 0 … 1; null: all 1
   */
  paint(surface, matrix, values, strengths) {
    const { ctx, theme, geometry, ratio, xs, ys, dx, dy, inSight } = surface;
    const { flags, cols } = matrix;
    const [top, bottom, left, right] = inSight;
    const w = right - left;
    const h = bottom - top;
    if (w <= 0 || h <= 0) return;
    const { small, image } = this.sized(w, h);
    const pixels = new Uint32Array(image.data.buffer);
    let p = 0;
    for (let i = top; i < bottom; i++)
      for (let k = i * cols + left, end = i * cols + right; k < end; k++) {
        const pixel = theme.pixels[shadeOf(matrix, values[k], flags?.[k])];
        pixels[p++] = strengths
          ? toward(pixel, theme.paperPixel, theme.coverOf(strengths[k]))
          : pixel;
      }
    small.putImageData(image, 0, 0);
    const x = xs[left] - dx;
    const y = ys[top] - dy;
    const width = xs[right] - xs[left];
    const height = ys[bottom] - ys[top];
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small.canvas, x - NUDGE, y - NUDGE, width, height);
    if (geometry.cell >= (surface.gapFrom ?? WITH_GAP)) {
      const line = Math.max(1, Math.floor(ratio));
      for (let j = left; j < right; j++) ctx.clearRect(xs[j + 1] - dx - line, y, line, height);
      for (let i = top; i < bottom; i++) ctx.clearRect(x, ys[i + 1] - dy - line, width, line);
    }
    // If given, strengths already show which cells are reached.
    const wanted = strengths ? ~REACHED : ~0;
    if (flags) paintAllMarks(surface, flags, cols, wanted, geometry.cell >= WITH_MARK);
  }

  /** Returns a canvas of this size, with one pixel per cell. @param {number} w @param {number} h */
  sized(w, h) {
    this.small ??= contextOf(make("canvas"));
    const { small } = this;
    if (!this.image || this.image.width !== w || this.image.height !== h) {
      small.canvas.width = w;
      small.canvas.height = h;
      this.image = small.createImageData(w, h);
    }
    return { small, image: this.image };
  }

  /** Releases the memory. */
  clear() {
    this.small = this.image = null;
  }
}

/**
 * @param {Surface} surface @param {Uint8Array} flags @param {number} cols
 * @param {number} wanted the bits of flags to paint
 * @param {boolean} hasRoom whether cells have room for marks other than frames
 */
function paintAllMarks(surface, flags, cols, wanted, hasRoom) {
  const { xs, ys, dx, dy, inSight } = surface;
  const [top, bottom, left, right] = inSight;
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const mark = flags[i * cols + j] & wanted;
      if (!mark || !(hasRoom || mark & REACHED)) continue;
      const [wide, tall] = [xs[j + 1] - xs[j], ys[i + 1] - ys[i]];
      const paint = hasRoom ? paintMarks : paintReached;
      paint(surface, mark, xs[j] - dx, ys[i] - dy, wide, tall);
    }
}

/** Mixes two pixels. @param {number} a @param {number} b @param {number} share fraction of b */
function toward(a, b, share) {
  const by = Math.round(256 * share);
  const own = 256 - by;
  // Mix red and blue in one step, green in another, so that no channel overflows into the next.
  const odd = (((a & 0xff00ff) * own + (b & 0xff00ff) * by) >>> 8) & 0xff00ff;
  const even = (((a & 0x00ff00) * own + (b & 0x00ff00) * by) >>> 8) & 0x00ff00;
  return (0xff000000 | odd | even) >>> 0;
}
