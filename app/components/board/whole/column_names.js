/**
 * The names of columns over their cells, where those are wide enough; while the cells reach above
 * the view, at its upper edge.
 */

import { make } from "../../shared/dom.js";
import { LabelPen } from "../paint/axis_labels.js";
import { firstOf } from "../paint/layout.js";
import { contextOf } from "../paint/near_canvas.js";
import { BAND, IN_SIGHT } from "./headings.js";
import { NAMED } from "./viewpoint.js";

/**
 * @import {Measured} from "../paint/axis_labels.js"
 * @import {Theme} from "../paint/color.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const ABOVE = 7; // CSS px from the middle of the names to the cells
const HIGH = BAND.height - BAND.columns;
const AROUND = 4; // CSS px of a cell that its name leaves free

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
  isNamed({ kind, matrix, place, isInSight, viewpoint }) {
    const isWide = place.cell * viewpoint.camera.zoom >= NAMED;
    return kind === "cells" && isWide && isInSight && matrix.rows > 1;
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
