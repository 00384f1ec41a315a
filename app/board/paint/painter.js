/** Tracks which views show which matrix, and repaints changed views once per display frame. */

import { beforePaint, forget } from "../../components/shared/display_frame.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {GridView, View} from "./view.js"
 */

/** @type {ReadonlySet<View>} */
const NONE = new Set();

export class Painter {
  /** @param {(now: number) => void} onFrame the work of a display frame, which calls `paint` */
  constructor(onFrame) {
    this.turn = 0; // counts paints
    this.onFrame = onFrame;
    this.views = /** @type {Map<Matrix, Set<View>>} */ (new Map());
    this.dirty = /** @type {Set<View>} */ (new Set());
  }

  /** @param {Matrix} matrix @param {View} view a view that shows the matrix */
  add(matrix, view) {
    const views = this.views.get(matrix);
    if (views) views.add(view);
    else this.views.set(matrix, new Set([view]));
  }

  /** @param {Matrix} matrix @param {View} view a view that no longer shows the matrix */
  remove(matrix, view) {
    const views = this.views.get(matrix);
    views?.delete(view);
    if (views?.size === 0) this.views.delete(matrix);
  }

  /** Shows another matrix in a view. @param {GridView} view @param {Matrix} matrix */
  replace(view, matrix) {
    if (matrix === view.matrix) return;
    this.remove(view.matrix, view);
    view.matrix = matrix;
    this.add(matrix, view);
    view.geometry = null; // the size may differ
  }

  /** @param {Matrix} matrix */
  viewsOf(matrix) {
    return this.views.get(matrix) ?? NONE;
  }

  /** @param {Matrix} matrix */
  gridsOf(matrix) {
    const grids = [];
    for (const view of this.viewsOf(matrix)) if (view.kind !== "picture") grids.push(view);
    return grids;
  }

  /** @param {View} view */
  touch(view) {
    this.dirty.add(view);
    this.schedule();
  }

  /** @param {Matrix} matrix */
  touchMatrix(matrix) {
    for (const view of this.viewsOf(matrix)) this.dirty.add(view);
    this.schedule();
  }

  /** Schedules a paint of the cells that differ from those on each canvas. */
  touchAll() {
    for (const views of this.views.values()) for (const view of views) this.dirty.add(view);
    this.schedule();
  }

  /** Schedules a complete repaint of all views, as after a change of theme or structure. */
  repaintAll() {
    for (const views of this.views.values()) for (const view of views) view.repaint = true;
    this.touchAll();
  }

  /** Cancels pending repaints, because their views are gone. */
  forget() {
    this.dirty.clear();
  }

  schedule() {
    beforePaint("paint", this.onFrame);
  }

  /** @returns {boolean} whether anything was drawn */
  paint() {
    let painted = false;
    this.turn++;
    for (const view of this.dirty) painted = view.paint() || painted;
    this.dirty.clear();
    return painted;
  }

  stop() {
    forget("paint", this.onFrame);
  }
}
