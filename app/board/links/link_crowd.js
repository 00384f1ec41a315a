/**
 * Draws thousands of thin links as one image: their opacities are summed in an array, which is much
 * faster than stroking each link. The image is cached, so that a moving camera only repositions it;
 * it is redrawn when weights change or the resolution does not fit.
 */

import { make } from "../../components/shared/dom.js";
import { powerOver } from "../paint/axis_labels.js";
import { HEAD_COLORS } from "../paint/color.js";
import { contextOf } from "../paint/near_canvas.js";
import { ease, MIN_WEIGHT, strengthInCrowd, thickness } from "./curve.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {LinkDrawing} from "./curve.js"
 */

const COLUMN = 2; // least width of an image column, CSS px
const MOST_COLUMNS = 512;
const MOST_LINES = 16; // largest number of image lines between two tokens
const SAME = 64; // slopes are rounded to 1/SAME of a line, to share stencils

/**
 * The entries that a link adds to the vertical differences of the image, relative to its start. In
 * each pixel column a link covers a vertical box, and only the ends of the box are entries.
 * @typedef {{places: Int32Array, shares: Float32Array}} Stencil
 */

export class LinkCrowd {
  constructor() {
    /** Canvases for one head, and for all heads. */
    this.one = contextOf(make("canvas"));
    this.all = contextOf(make("canvas"));
    this.key = ""; // the geometry of the image
    this.of = ""; // identifies the links of the image, and their colors
    this.values = /** @type {Float32Array[]} */ ([]); // the weights of the image
    this.width = this.height = 1;
    this.image = this.one.createImageData(1, 1);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sums = new Float32Array(1);
    this.stencils = /** @type {Map<number, Stencil>} */ (new Map());
  }

  /**
   * @param {CanvasRenderingContext2D} ctx in CSS px @param {LinkDrawing} drawing
   * @param {Theme} theme @param {number} below the image contains the links with smaller weights
   * @param {(isSharper: boolean) => boolean} mayDraw whether there is time to redraw the image,
   *   instead of only placing it; `isSharper`: only the resolution changes, not the links
   * @returns {boolean} whether the image is up to date
   */
  paint(ctx, drawing, theme, below, mayDraw) {
    const shape = shapeOf(drawing);
    const isOther = this.isOther(drawing, theme);
    const isNew = isOther || shape.key !== this.key;
    const isCurrent = !isNew || mayDraw(!isOther);
    if (isNew && isCurrent) this.draw(drawing, shape, theme, below);
    this.place(ctx, drawing, shape);
    return isCurrent;
  }

  /** Whether the image has other links. @param {LinkDrawing} drawing @param {Theme} theme */
  isOther(drawing, theme) {
    const { layers } = drawing;
    return (
      nameOf(drawing, theme) !== this.of ||
      layers.length !== this.values.length ||
      layers.some(({ values }, k) => values !== this.values[k])
    );
  }

  /** @param {CanvasRenderingContext2D} ctx @param {LinkDrawing} drawing @param {Shape} shape */
  place(ctx, { a, b }, { top, height }) {
    if (!this.key) return; // nothing has been drawn yet
    ctx.globalAlpha = 1;
    ctx.save();
    ctx.translate(a, top);
    if (b < a) ctx.scale(-1, 1); // mirror: the image begins at `a`
    ctx.drawImage(this.all.canvas, 0, 0, Math.abs(b - a), height);
    ctx.restore();
  }

  /**
   * @param {LinkDrawing} drawing @param {Shape} shape @param {Theme} theme @param {number} below
   */
  draw(drawing, shape, theme, below) {
    const { layers } = drawing;
    this.prepare(shape);
    this.of = nameOf(drawing, theme);
    this.values = layers.map(({ values }) => values);
    this.all.clearRect(0, 0, this.width, this.height);
    const { pixels, sums, width } = this;
    for (const { values, head, shift } of layers) {
      sums.fill(0);
      this.addUp(drawing, shape, values, shift, below);
      for (let p = width; p < sums.length; p++) sums[p] += sums[p - width];
      const [red, green, blue] = theme.headRgb[head % HEAD_COLORS];
      const color = ((blue << 16) | (green << 8) | red) >>> 0;
      for (let p = 0; p < pixels.length; p++) {
        const ink = sums[p];
        pixels[p] = ink > 0 ? ((((255 * ink) / (1 + ink)) << 24) | color) >>> 0 : 0;
      }
      this.one.putImageData(this.image, 0, 0);
      this.all.drawImage(this.one.canvas, 0, 0);
    }
  }

  /**
   * @param {LinkDrawing} drawing @param {Shape} shape @param {Float32Array} values
   * @param {number} shift CSS px @param {number} below
   */
  addUp(drawing, shape, values, shift, below) {
    const { rows, cols, step, yFrom, yTo, shown } = drawing;
    const { sums, width } = this;
    const { top, fineness } = shape;
    const ends = Float64Array.from({ length: cols }, (_, j) => (yTo(j) + shift - top) * fineness);
    for (let i = 0; i < rows; i++) {
      const from = (yFrom(i) + shift - top) * fineness;
      const line = Math.floor(from);
      const start = line * width;
      for (let j = 0; j < cols; j++) {
        const weight = values[i * cols + j];
        if (!(weight >= MIN_WEIGHT && weight < below) || !shown(i, j)) continue;
        const ink = strengthInCrowd(weight) * thickness(weight, step) * fineness;
        const { places, shares } = this.stencil(from - line, ends[j] - from, shape);
        for (let n = 0; n < places.length; n++) sums[start + places[n]] += ink * shares[n];
      }
    }
  }

  /**
   * Returns the stencil for a link. Links of the same slope and offset share a stencil, so a few
   * dozen suffice for thousands of links.
   * @param {number} start offset of the link within its line, 0 … 1 @param {number} drop height
   *   difference in lines
   * @param {Shape} shape
   */
  stencil(start, drop, { columns, across, fineness }) {
    const known = Math.round(drop * SAME) * SAME + Math.round(start * (SAME - 1));
    const found = this.stencils.get(known);
    if (found) return found;
    const places = new Int32Array(4 * columns);
    const shares = new Float32Array(4 * columns);
    for (let x = 0; x < columns; x++) {
      const lean = Math.abs(drop * (ease((x + 1) / columns) - ease(x / columns)));
      const box = Math.max(1, lean);
      const top = start + drop * ease((x + 0.5) / columns) - box / 2;
      const bottom = top + box;
      const share = Math.sqrt(1 + (lean / (fineness * across)) ** 2) / box;
      const [first, last] = [Math.floor(top), Math.floor(bottom)];
      const [above, beyond] = [top - first, bottom - last];
      places.set(
        [first, first + 1, last, last + 1].map((line) => line * columns + x),
        4 * x,
      );
      shares.set(
        [1 - above, above, beyond - 1, -beyond].map((part) => part * share),
        4 * x,
      );
    }
    const made = { places, shares };
    this.stencils.set(known, made);
    return made;
  }

  /** @param {Shape} shape */
  prepare({ key, columns, lines, fineness, across }) {
    if (this.key === key) return;
    this.key = key;
    this.width = columns;
    this.height = lines;
    for (const { canvas } of [this.one, this.all])
      Object.assign(canvas, { width: columns, height: lines });
    this.image = this.one.createImageData(columns, lines);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.sums = new Float32Array(columns * lines);
    this.stencils = stencilsOf(columns, fineness, across);
  }
}

/** Images of the same shape, such as those of a model's layers, share their stencils. */
const SHAPES = 8;
const FINE = 8; // resolutions within a factor of 2 ** (1 / FINE) share stencils
/** @type {Map<string, Map<number, Stencil>>} */
const shared = new Map();

/** @param {number} columns @param {number} fineness @param {number} across */
function stencilsOf(columns, fineness, across) {
  const key = [columns, Math.round(FINE * Math.log2(fineness * across))].join();
  const found = shared.get(key) ?? new Map();
  shared.delete(key);
  shared.set(key, found);
  if (shared.size > SHAPES) shared.delete(shared.keys().next().value ?? "");
  return found;
}

/** Identifies the links and their colors. @param {LinkDrawing} drawing @param {Theme} theme */
const nameOf = ({ layers, which }, theme) =>
  `${which} ${layers.map(({ head }) => theme.headColor(head))}`;

/**
 * The resolution and position of the image.
 * @typedef {object} Shape
 * @property {string} key the same as long as the image can be reused
 * @property {number} columns
 * @property {number} lines
 * @property {number} top in CSS px
 * @property {number} height in CSS px
 * @property {number} fineness lines per CSS px
 * @property {number} across CSS px per column
 */

/**
 * Chooses the resolution in powers of two, so that small camera moves rarely cause a redraw.
 * @param {LinkDrawing} drawing
 */
function shapeOf({ layers, rows, cols, a, b, step, yFrom, yTo }) {
  const pitch = (rows > 1 ? yFrom(1) - yFrom(0) : cols > 1 ? yTo(1) - yTo(0) : step) || 1;
  const fineness = Math.min(MOST_LINES, powerOver(pitch)) / pitch;
  const width = Math.abs(b - a);
  const columns = Math.min(MOST_COLUMNS, powerOver(width / COLUMN));
  const shifts = layers.map(({ shift }) => shift);
  // Add the height of a token on each side, because links have a thickness.
  const top = Math.min(yFrom(0), yTo(0)) + Math.min(...shifts) - pitch;
  const bottom = Math.max(yFrom(rows - 1), yTo(cols - 1)) + Math.max(...shifts) + pitch;
  const lines = Math.ceil((bottom - top) * fineness) + 2;
  const apart = Math.round(SAME * fineness * (yTo(0) - yFrom(0)));
  const places = shifts.map((shift) => Math.round(4 * fineness * shift));
  const key = [columns, lines, rows, cols, apart, ...places].join();
  return { key, columns, lines, top, height: lines / fineness, fineness, across: width / columns };
}
