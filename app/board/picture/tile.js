/**
 * A matrix of the whole picture: a strip on the lanes, or a tile of weights. It paints itself onto
 * the picture's single canvas: as colors from afar, with numbers from near.
 */

import { isSameFormat, SCIENTIFIC } from "../../components/shared/number_format.js";
import { paintCells, paintChanged } from "../paint/cells.js";
import { READABLE } from "../paint/color.js";
import { paintFound } from "../paint/found.js";
import { styleWithin } from "../paint/layout.js";
import { dotWords } from "../paint/overview.js";
import { PixelHeatmap } from "../paint/pixel_heatmap.js";
import { placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import { PictureGrid } from "./picture_grid.js";
import { LANE_GAP, rectOf } from "./plan.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {CellOf} from "../data/types.js"
 * @import {Surface} from "../paint/cells.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {PictureServices} from "./picture_grid.js"
 * @import {PlacedMatrix} from "./plan.js"
 */

const LEAST_IN_FILM = 0.25;
/** Cell width of a large matrix, in CSS px, from which a window shows numbers. */
export const RESOLVES = 7;
/** The largest number of cells of a matrix that is painted completely even if partly in sight. */
const AT_ONCE = 4096;
const WITH_GAP = 5;
const WITH_MARKS = 12; // CSS px; the corner marks of smaller cells could not be seen

/** @implements {GridView} */
export class Tile extends PictureGrid {
  /**
   * @param {PictureServices} picture @param {PlacedMatrix} placed @param {Matrix} matrix
   * @param {"cells" | "dots"} kind "dots" represent blocks of cells
   */
  constructor(picture, placed, matrix, kind) {
    super(picture, matrix);
    this.kind = kind;
    this.placed = placed;
    this.heatmap = new PixelHeatmap();
    this.xs = this.ys = new Int32Array(0);
    this.shown = new Float64Array(0);
    this.format = SCIENTIFIC;
    this.isBare = false;
    this.stamp = -1;
    this.services.painter.add(matrix, this);
  }

  /** Position and cell size in units; for a window, within the place of the whole matrix. */
  get place() {
    const { placed, matrix } = this;
    const { origin, whole, overview } = matrix.entry;
    if (!overview || !origin || !whole)
      return { x: placed.x, y: placed.y, cell: placed.cell, height: placed.height };
    const cell = (placed.cols * placed.cell) / whole[1];
    const height = (placed.rows * placed.height) / whole[0];
    return { x: placed.x + origin[2] * cell, y: placed.y + origin[1] * height, cell, height };
  }

  /** The geometry in CSS px, for rings on cells. @returns {Geometry} */
  get geometry() {
    const { cell, height } = this.place;
    const scale = scales(this.viewpoint.camera);
    return {
      ...{ mode: "picture", head: 0, tail: 0, label: 0, top: 0, upright: false, above: false },
      ...{ cell: cell * scale.across, height: height * scale.down },
      ...{ full: 0, tall: 0, windowWidth: 0, windowHeight: 0 },
    };
  }

  /** Whether the matrix is folded until the camera comes nearer. */
  get isFolded() {
    return isFolded(this.viewpoint.camera, this.placed.y);
  }

  /** Whether any of the matrix is in the view; a window also needs cells large enough to read. */
  get isInSight() {
    const { place } = this;
    const { rows, cols, entry } = this.matrix;
    if (this.isFolded) return false;
    const box = this.viewpoint.boxOf(rectOf({ ...place, rows, cols }));
    const { width, height: tall } = this.viewpoint.view;
    if (entry.overview && place.cell * this.viewpoint.camera.zoom < RESOLVES) return false;
    return box.x < width && box.y < tall && box.x + box.width > 0 && box.y + box.height > 0;
  }

  /** Computes the cell edges in device px of the canvas, if the camera has moved. */
  edges() {
    const { viewpoint, matrix } = this;
    if (this.stamp === viewpoint.stamp && this.xs.length === matrix.cols + 1) return;
    this.stamp = viewpoint.stamp;
    const { x, y, cell, height } = this.place;
    const { camera, ratio } = viewpoint;
    const scale = scales(camera);
    const [across, down] = [scale.across * ratio, scale.down * ratio];
    this.xs = edges((x - camera.x) * across, cell * across, matrix.cols);
    this.ys = edges(placeDown(camera, y) * ratio, height * down, matrix.rows);
    if (this.shown.length !== matrix.cells) this.shown = new Float64Array(matrix.cells);
    this.shown.fill(-1);
  }

  /** @returns {boolean} whether anything was drawn */
  paint() {
    return this.canvas.paintTile(this);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {boolean} whole whether the whole canvas is being repainted
   */
  paintOn(ctx, whole) {
    const { matrix } = this;
    const { appearance } = this.services;
    const values = matrix.values && matrix.plane(appearance.plane);
    if (!values || !this.isInSight || this.isLeftOut(values)) return false;
    this.edges();
    matrix.rescale(appearance.ownScales, appearance.plane);
    const surface = this.surface(ctx);
    const { cell, height } = surface.geometry;
    const style =
      this.kind === "dots" ? null : styleWithin(cell, height, appearance.cellsInDecimals);
    const own = this.services.strengths(matrix);
    // In a film only emphasized numbers have to be readable.
    const least = this.services.isFilmed() ? LEAST_IN_FILM : READABLE;
    const strengths =
      style && own ? own.map((strength) => strength && Math.max(least, strength)) : own;
    if (whole) this.shown.fill(-1);
    if (!style || whole) this.paintColors(surface, values, strengths);
    if (style) {
      const sprites = appearance.spritesFor(style, this.viewpoint.ratio);
      const format = appearance.formatOf(matrix, sprites.characters);
      if (!isSameFormat(format, this.format)) this.shown.fill(-1);
      this.format = format;
      const text = { format, sprites, shown: this.shown, strengths };
      paintCells({ ...surface, geometry: style }, matrix, values, text);
    }
    if (this.services.marksFound()) paintFound(surface, matrix);
    return true;
  }

  /**
   * Whether the matrix is left out: on the patch plane, only patch sites are painted.
   * @param {Float32Array} values
   */
  isLeftOut(values) {
    const wasBare = this.isBare;
    this.isBare = this.services.appearance.plane === "patch" && values.every(Number.isNaN);
    if (this.isBare && !wasBare) this.canvas.renew(); // shows the background
    return this.isBare;
  }

  /**
   * @param {Surface} surface @param {Float32Array} values @param {Float32Array | null} strengths
   */
  paintColors(surface, values, strengths) {
    const { ctx, xs, ys, rowGap = 0 } = surface;
    const { rows, cols, cells } = this.matrix;
    // Small matrices are painted whole: a part would be scaled slightly differently.
    const all =
      cells <= AT_ONCE
        ? { ...surface, inSight: /** @type {const} */ ([0, rows, 0, cols]) }
        : surface;
    this.heatmap.paint(all, this.matrix, values, strengths);
    if (Math.min(surface.geometry.cell, surface.geometry.height) < WITH_MARKS)
      paintChanged(surface, this.matrix);
    if (this.placed.kind !== "strip") return;
    const [top, bottom, left, right] = surface.inSight;
    for (let i = top; i < bottom; i++)
      ctx.clearRect(xs[left], ys[i + 1] - rowGap, xs[right] - xs[left], rowGap);
  }

  /** @param {CanvasRenderingContext2D} ctx @returns {Surface} */
  surface(ctx) {
    const { viewpoint, matrix, xs, ys } = this;
    const { appearance } = this.services;
    const { cell, height } = this.place;
    const { ratio, camera } = viewpoint;
    const scale = scales(camera);
    const [across, down] = [cell * scale.across, height * scale.down];
    const { width, height: tall } = ctx.canvas;
    const isStrip = this.placed.kind === "strip" && this.kind === "cells";
    const gap = isStrip ? Math.round(LANE_GAP * scale.down * ratio) : 0;
    return {
      ctx,
      theme: appearance.theme,
      geometry: { mode: "picture", cell: across, height: down, head: 0, tail: 0 },
      ratio,
      xs,
      ys,
      dx: 0,
      dy: 0,
      rowGap: Math.max(1, gap),
      gapFrom: WITH_GAP,
      inSight: [
        Math.max(0, firstAfter(ys, 0)),
        Math.min(matrix.rows, countBefore(ys, tall)),
        Math.max(0, firstAfter(xs, 0)),
        Math.min(matrix.cols, countBefore(xs, width)),
      ],
    };
  }

  // -- as a grid ----------------------------------------------------------------------------------

  /**
   * @param {number} i @param {number} j @param {number} [i2] @param {number} [j2] @returns {Box}
   */
  boxOf(i, j, i2 = i, j2 = j) {
    const { x, y, cell, height } = this.place;
    const gap = this.placed.kind === "strip" ? LANE_GAP : 0;
    return this.viewpoint.boxOf({
      ...{ x: x + j * cell, y: y + i * height },
      ...{ width: (j2 - j + 1) * cell, height: (i2 - i + 1) * height - Math.min(gap, height / 4) },
    });
  }

  /** @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    const at = this.viewpoint.pointAt(clientX, clientY);
    const { x, y, cell, height } = this.place;
    const i = Math.floor((at.y - y) / height);
    const j = Math.floor((at.x - x) / cell);
    return i >= 0 && j >= 0 && i < this.matrix.rows && j < this.matrix.cols ? { i, j } : null;
  }

  /** @param {number} i @param {number} j @returns {CellOf | null} */
  origin(i, j) {
    if (this.kind === "dots") return null;
    const { origin: [path, row, column] = [this.matrix.path, 0, 0] } = this.matrix.entry;
    return { path, i: row + i, j: column + j };
  }

  /** @param {number} i @param {number} j */
  sentence(i, j) {
    const { name, entry } = this.matrix;
    return this.kind === "dots" ? `${name}, ${dotWords(entry, i, j)}` : super.sentence(i, j);
  }

  /** Repaints everything, so that the former place of a window shows blocks again. */
  relabel() {
    this.stamp = -1;
    this.canvas.stale = true;
  }

  remove() {
    this.heatmap.clear();
    this.services.painter.remove(this.matrix, this);
  }
}

/**
 * The edges of `count` cells in whole device px. The edges match those in a scaled image of one px
 * per cell, so that no cell shows a stripe of its neighbor.
 * @param {number} start @param {number} step @param {number} count
 */
function edges(start, step, count) {
  const first = Math.round(start);
  const all = Math.max(1, Math.round(start + count * step) - first);
  return Int32Array.from(
    { length: count + 1 },
    (_, k) => first + Math.ceil((k * all) / count - 0.5),
  );
}

/** The cell at a position, or the next one. @param {Int32Array} edges @param {number} at */
function firstAfter(edges, at) {
  let k = 0;
  while (k < edges.length - 2 && edges[k + 1] <= at) k++;
  return k;
}

/** The number of cells that begin before `at`. @param {Int32Array} edges @param {number} at */
function countBefore(edges, at) {
  let k = 0;
  while (k < edges.length - 1 && edges[k] < at) k++;
  return k;
}
