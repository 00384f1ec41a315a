/**
 * Paints the names of columns above their cells if the columns are wide enough, or at the upper
 * edge of the view if the cells extend above it. Tokens longer than the width of their columns are
 * written upright below the columns. A matrix shows all of its names or none.
 */

import { make } from "../../components/shared/dom.js";
import { LabelPen } from "../paint/axis_labels.js";
import { firstOf } from "../paint/layout.js";
import { contextOf } from "../paint/near_canvas.js";
import { placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import { BAND, IN_SIGHT } from "./heading_places.js";
import { NAMED } from "./viewpoint.js";

/**
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Measured} from "../paint/axis_labels.js"
 * @import {Box} from "../paint/view.js"
 * @import {Placeable, Sight} from "./labels.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {"level" | "upright" | "pinned"} Way
 * @typedef {{tile: Tile, way: Way, names: {measured: Measured, middle: number}[], box: Box}} Names
 *   the visible names of a matrix, with their middles and lengths in device px
 */

const LEVEL = 44; // CSS px; in columns at least this wide, token names are level above the cells
const ABOVE = 7; // CSS px from the middle of the names to the cells
const HIGH = BAND.height - BAND.columns;
const AROUND = 4; // CSS px of a column's width that stay free beside its name
const LETTERS = 9; // CSS px, height of the letters
/** Upright names, in CSS px: letter size, least column width, twice the distance to the cells. */
const UPRIGHT = { size: 11.5, cell: 10, apart: 4 };
const PRIORITY = 2.5;

export class ColumnNames {
  /** @param {Viewpoint} viewpoint @param {Appearance} appearance */
  constructor(viewpoint, appearance) {
    this.viewpoint = viewpoint;
    this.appearance = appearance;
    this.el = make("canvas", { class: "column-names", "aria-hidden": "true" });
    this.el.style.top = `${BAND.columns}px`;
    this.el.style.height = `${HIGH}px`;
    this.ctx = contextOf(this.el);
    this.tiles = /** @type {readonly Tile[]} */ ([]);
    this.shown = /** @type {Names[]} */ ([]);
    /** Cache of measured text, by label and index. @type {Map<string, Measured>} */
    this.known = new Map();
    this.knownFor = ""; // the font and pixel ratio of the cache
  }

  /** @param {Sight} sight @returns {Placeable[]} */
  labels(sight) {
    const { ratio } = this.viewpoint;
    const key = `${this.appearance.theme.fontText} ${ratio}`;
    if (key !== this.knownFor) this.known.clear();
    this.knownFor = key;
    this.shown = [];
    return this.tiles.flatMap((tile, k) => {
      const found = tile.kind === "cells" && tile.isInSight ? this.namesOf(tile, sight) : null;
      if (!found) return [];
      return {
        ...{ key: `names ${k}`, places: [found.box], priority: PRIORITY },
        avoids: found.way === "pinned" ? "labels" : "all",
        show: (at) => {
          if (at !== undefined) this.shown.push(found);
        },
      };
    });
  }

  /** @param {Tile} tile @param {Sight} sight @returns {Names | null} */
  namesOf(tile, { left, top, view }) {
    const { viewpoint, ctx } = this;
    const { ratio } = viewpoint;
    const isUnder = this.isUnder(tile);
    const isWide = tile.place.cell * viewpoint.camera.zoom >= NAMED;
    if (!isUnder && !(viewpoint.namesColumns && isWide && tile.matrix.rows > 1)) return null;
    tile.edges();
    const { xs, ys, matrix } = tile;
    const wide = (xs[xs.length - 1] - xs[0]) / (xs.length - 1);
    if (isUnder && wide < UPRIGHT.cell * ratio) return null;
    const pen = new LabelPen(ctx, this.appearance.theme, ratio);
    const [, before] = firstOf(matrix.entry);
    const names = matrix.entry.col_labels.flatMap((label, j) => {
      const middle = (xs[j] + xs[j + 1]) / 2;
      const half = (isUnder ? UPRIGHT.size * ratio : wide) / 2;
      if (middle - half < left * ratio || middle + half > view.width * ratio) return [];
      const key = `${label} ${before + j}`;
      const measured = this.known.get(key) ?? pen.measure(label, before + j, 0);
      this.known.set(key, measured);
      return [{ measured, middle }];
    });
    const longest = Math.max(...names.map(({ measured }) => measured.width));
    if (!names.length || (!isUnder && longest > wide - AROUND * ratio)) return null;
    const [first, last] = [names[0].middle, names[names.length - 1].middle];
    const [start, end] = [ys[0] / ratio, ys[ys.length - 1] / ratio];
    const isPinned = top > 0 && start - 2 * ABOVE < BAND.columns && end > top + IN_SIGHT;
    const way = isUnder ? "upright" : isPinned ? "pinned" : "level";
    const middle = isPinned ? BAND.columns + HIGH / 2 : start - ABOVE;
    const box = {
      ...{ x: (first - wide / 2) / ratio, width: (last - first + wide) / ratio },
      y: isUnder ? end + UPRIGHT.apart / 2 : middle - LETTERS / 2,
      height: isUnder ? longest / ratio : LETTERS,
    };
    return { tile, way, names, box };
  }

  /** Whether the names of a tile are upright below its columns. @param {Tile} tile */
  isUnder({ kind, matrix, place, placed, isInSight, viewpoint }) {
    if (!placed.names || kind !== "cells" || !isInSight) return false;
    const { camera } = viewpoint;
    const { across } = scales(camera);
    const below = place.y + matrix.rows * place.height;
    const end = placeDown(camera, below);
    if (isFolded(camera, below + placed.names)) return false;
    return place.cell * across < LEVEL && end < viewpoint.view.height;
  }

  /** @param {CanvasRenderingContext2D} ctx the picture's, in device px */
  paint(ctx) {
    const { view, ratio, covered } = this.viewpoint;
    if (covered.top) {
      this.el.width = Math.round(view.width * ratio);
      this.el.height = Math.round(HIGH * ratio);
    }
    for (const { way, names, box } of this.shown) {
      const pen = new LabelPen(way === "pinned" ? this.ctx : ctx, this.appearance.theme, ratio);
      const y = way === "pinned" ? HIGH / 2 : box.y + LETTERS / 2;
      for (const { measured, middle } of names)
        if (way === "upright") pen.upright(measured, middle, box.y * ratio + measured.width);
        else pen.put(measured, Math.round(middle - measured.width / 2), y * ratio);
    }
  }
}
