/**
 * The names of columns over their cells, where those are wide enough; while the cells reach above
 * the view, at its upper edge. Tokens, which are longer than their columns are wide, stand upright
 * under them.
 */

import { make } from "../../shared/dom.js";
import { LabelPen } from "../paint/axis_labels.js";
import { firstOf } from "../paint/layout.js";
import { contextOf } from "../paint/near_canvas.js";
import { placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import { BAND, IN_SIGHT } from "./headings.js";
import { NAMED } from "./viewpoint.js";

/**
 * @import {Measured} from "../paint/axis_labels.js"
 * @import {Theme} from "../paint/color.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const LEVEL = 44; // CSS px of a column from which names of tokens stand level above it
const ABOVE = 7; // CSS px from the middle of the names to the cells
const HIGH = BAND.height - BAND.columns;
const AROUND = 4; // CSS px of a cell that its name leaves free
/** Names under columns, in CSS px: letters, the narrowest column, and its edge. */
const UPRIGHT = { least: 11, most: 11.5, cell: 10, apart: 4 };

export class ColumnNames {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.el = make("canvas", { class: "column-names", "aria-hidden": "true" });
    this.el.style.top = `${BAND.columns}px`;
    this.el.style.height = `${HIGH}px`;
    this.ctx = contextOf(this.el);
    /** Names in full, by their label: text is measured once. @type {Map<string, Measured>} */
    this.known = new Map();
    this.knownFor = ""; // which font, and how large
  }

  /**
   * @param {CanvasRenderingContext2D} ctx of the picture, in device px
   * @param {readonly Tile[]} tiles @param {Theme} theme
   */
  paint(ctx, tiles, theme) {
    const { viewpoint } = this;
    const { covered, ratio } = viewpoint;
    for (const tile of tiles) if (this.isUnder(tile)) this.writeUnder(ctx, tile, theme);
    const named = viewpoint.namesColumns ? tiles.filter((tile) => this.isNamed(tile)) : [];
    const isPinned = (/** @type {Tile} */ { ys }) =>
      ys[0] / ratio - 2 * ABOVE < BAND.columns &&
      ys[ys.length - 1] / ratio > covered.top + IN_SIGHT;
    if (!named.length) return;
    const key = `${theme.fontText} ${ratio}`;
    if (key !== this.knownFor) this.known.clear();
    this.knownFor = key;
    if (covered.top) this.paintBand(named.filter(isPinned), theme);
    for (const tile of named) this.write(ctx, tile, theme, tile.ys[0] - ABOVE * ratio);
  }

  /** @param {Tile} tile */
  isNamed(tile) {
    const { kind, matrix, place, isInSight, viewpoint } = tile;
    if (this.isUnder(tile)) return false;
    const isWide = place.cell * viewpoint.camera.zoom >= NAMED;
    return kind === "cells" && isWide && isInSight && matrix.rows > 1;
  }

  /** Whether the names stand under the columns. @param {Tile} tile */
  isUnder({ kind, matrix, place, placed, isInSight, viewpoint }) {
    if (!placed.names || kind !== "cells" || !isInSight) return false;
    const { camera } = viewpoint;
    const { across } = scales(camera);
    const below = place.y + matrix.rows * place.height;
    const end = placeDown(camera, below);
    if (isFolded(camera, below + placed.names)) return false;
    return place.cell * across < LEVEL && end < viewpoint.view.height;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {Tile} tile @param {Theme} theme */
  writeUnder(ctx, { matrix, placed, xs, ys }, theme) {
    const { ratio, camera } = this.viewpoint;
    const wide = (xs[xs.length - 1] - xs[0]) / (xs.length - 1) / ratio;
    if (wide < UPRIGHT.cell) return;
    const size = Math.max(UPRIGHT.least, Math.min(UPRIGHT.most, wide));
    const pen = new LabelPen(ctx, theme, ratio, size);
    const [, before] = firstOf(matrix.entry);
    const room = ((placed.names ?? 0) * scales(camera).down - UPRIGHT.apart) * ratio;
    const top = ys[ys.length - 1] + (UPRIGHT.apart / 2) * ratio;
    matrix.entry.col_labels.forEach((label, j) => {
      if (xs[j + 1] < 0 || xs[j] > ctx.canvas.width) return;
      const { width } = pen.measure(label, before + j, room);
      pen.upright(label, before + j, (xs[j] + xs[j + 1]) / 2, top + width, room);
    });
  }

  /** @param {readonly Tile[]} tiles @param {Theme} theme */
  paintBand(tiles, theme) {
    const { el, ctx } = this;
    const { view, ratio } = this.viewpoint;
    el.width = Math.round(view.width * ratio);
    el.height = Math.round(HIGH * ratio);
    for (const tile of tiles) this.write(ctx, tile, theme, (HIGH / 2) * ratio);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx @param {Tile} tile @param {Theme} theme
   * @param {number} y of the middle, in device px
   */
  write(ctx, { matrix, xs }, theme, y) {
    const { entry } = matrix;
    const { ratio } = this.viewpoint;
    const [, before] = firstOf(entry);
    const pen = new LabelPen(ctx, theme, ratio);
    entry.col_labels.forEach((label, j) => {
      if (xs[j + 1] < 0 || xs[j] > ctx.canvas.width) return;
      const room = xs[j + 1] - xs[j] - AROUND * ratio;
      let measured = this.known.get(label) ?? pen.measure(label, before + j, 0);
      this.known.set(label, measured);
      if (measured.width > room) measured = pen.measure(label, before + j, room);
      const x = Math.round((xs[j] + xs[j + 1] - measured.width) / 2);
      if (measured.width <= room) pen.put(measured, x, y);
    });
  }
}
