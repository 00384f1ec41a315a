/**
 * The single canvas of the picture. A matrix that changes repaints only its own place; when the
 * camera moves, everything is repainted.
 */

import { make } from "../../components/shared/dom.js";
import { contextOf } from "../paint/near_canvas.js";
import { paintBackground } from "./background.js";
import { ColumnNames } from "./column_names.js";
import { BAND } from "./heading_places.js";
import { PaintBudget } from "./paint_budget.js";

/**
 * @import {GridServices} from "../paint/overview.js"
 * @import {Box} from "../paint/view.js"
 * @import {Drawing} from "./drawing.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

export class PictureCanvas {
  /**
   * @param {GridServices} services @param {Viewpoint} viewpoint
   * @param {() => void} onMoved called before everything is repainted
   * @param {() => void} onPainted called after everything was repainted
   */
  constructor({ painter, appearance }, viewpoint, onMoved, onPainted) {
    this.onMoved = onMoved;
    this.names = new ColumnNames(viewpoint, appearance);
    this.painter = painter;
    this.appearance = appearance;
    this.viewpoint = viewpoint;
    this.onPainted = onPainted;
    this.el = make("canvas", { "aria-hidden": "true" });
    this.ctx = contextOf(this.el);
    this.drawing = /** @type {Drawing | null} */ (null);
    this.linkTime = new PaintBudget(painter);
    this.stale = true; // whether everything has to be repainted
    this.painted = -1; // number of the last frame in which everything was repainted
  }

  /** @param {Drawing | null} drawing */
  show(drawing) {
    this.drawing = drawing;
    this.names.tiles = drawing?.tiles ?? [];
    this.linkTime.late.clear();
  }

  /** Takes the size of the view. */
  size() {
    const { view, ratio } = this.viewpoint;
    this.el.width = Math.round(view.width * ratio);
    this.el.height = Math.round(view.height * ratio);
  }

  /** Repaints everything in the next frame. */
  renew() {
    this.stale = true;
    const first = this.drawing?.tiles.at(0);
    if (first) this.painter.touch(first);
  }

  /** @param {Tile} tile @returns {boolean} whether anything was drawn */
  paintTile(tile) {
    if (this.stale) return this.paintAll();
    return this.painted !== this.painter.turn && tile.paintOn(this.ctx, false);
  }

  /** @param {LaneLinks} links @returns {boolean} whether anything was drawn */
  paintLinks(links) {
    if (this.stale) return this.paintAll();
    if (this.painted === this.painter.turn) return false;
    const { ctx, viewpoint } = this;
    const { ratio } = viewpoint;
    const box = viewpoint.boxOf(links.placed.box);
    const { x, y, width, height } = box;
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    ctx.clearRect(x, y, width, height);
    this.paintUnder(box);
    const painted = links.paintOn(ctx);
    ctx.restore();
    return painted;
  }

  /** Paints the background of a region. @param {Box} within */
  paintUnder(within) {
    const { drawing, ctx, viewpoint, appearance } = this;
    if (!drawing) return;
    const { camera, namesColumns } = viewpoint;
    const names = namesColumns ? BAND.line : 0;
    paintBackground(ctx, drawing.plan, camera, appearance.theme, names, within);
  }

  /** @returns {boolean} whether anything was drawn */
  paintAll() {
    const { ctx, drawing } = this;
    const { view, ratio } = this.viewpoint;
    if (!drawing || !view.width) return false;
    this.onMoved();
    this.stale = false;
    this.painted = this.painter.turn;
    if (this.el.width !== Math.round(view.width * ratio)) this.size();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintUnder({ x: 0, y: 0, ...view });
    for (const links of drawing.links) {
      ctx.save();
      links.paintOn(ctx);
      ctx.restore();
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    for (const tile of drawing.tiles) tile.paintOn(ctx, true);
    this.names.paint(ctx);
    this.onPainted();
    return true;
  }
}
