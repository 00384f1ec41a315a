/** Reports the camera and the visible matrices once the camera rests. */

import { RESOLVES, Tile } from "./tile.js";

/**
 * @import {Drawing} from "./drawing.js"
 * @import {WholeServices} from "./picture_grid.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const SETTLED = 250; // ms after the camera's last move

/**
 * @typedef {object} SightActions
 * @property {(indices: number[]) => void} onNear takes the indices of matrices in sight
 * @property {(camera: number[] | null) => void} keep takes the middle x, y and the zoom; null: the
 *   whole picture is in sight
 */

export class VisibleReport {
  /** @param {WholeServices} services @param {Viewpoint} viewpoint @param {SightActions} actions */
  constructor({ store, viewports }, viewpoint, actions) {
    this.store = store;
    this.viewports = viewports;
    this.viewpoint = viewpoint;
    this.actions = actions;
    this.drawing = /** @type {Drawing | null} */ (null);
    this.settling = 0;
    this.near = "";
    this.kept = "";
  }

  /** @param {Drawing | null} drawing */
  show(drawing) {
    this.drawing = drawing;
    this.near = "";
  }

  /** Restarts the wait after a move of the camera. */
  moved() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settled(), SETTLED);
  }

  settled() {
    const { drawing } = this;
    if (!drawing) return; // another view is open: the kept camera stays
    this.moveWindows(drawing);
    this.report(drawing);
    if (this.viewpoint.isFilmed) return; // the camera is not where the user left it
    const { camera, view, isFitted, middle } = this.viewpoint;
    const value = isFitted || !view.width ? null : [middle.x, middle.y, camera.zoom];
    const key = value?.map((v) => v.toPrecision(5)).join() ?? "";
    if (key === this.kept) return;
    this.kept = key;
    this.actions.keep(value);
  }

  /** @param {Drawing} drawing */
  report({ grids }) {
    if (!this.viewpoint.view.width) return;
    const seen = grids.filter((grid) => !(grid instanceof Tile) || grid.isInSight);
    const indices = [...new Set(seen.map(({ matrix }) => matrix.index))];
    const key = `${this.store.version} ${indices.join()}`;
    if (key === this.near) return;
    this.near = key;
    this.actions.onNear(indices);
  }

  /** When near, moves windows on large matrices to the view's middle. @param {Drawing} drawing */
  moveWindows({ windows }) {
    const { middle, camera } = this.viewpoint;
    for (const { dots, cells } of windows) {
      const { entry, rows, cols } = cells.matrix;
      const { cell, height: high } = cells.place;
      if (!entry.origin || !dots.isInSight || cell * camera.zoom < RESOLVES) continue;
      const { x, y } = dots.placed;
      const row = Math.round((middle.y - y) / high - rows / 2);
      const column = Math.round((middle.x - x) / cell - cols / 2);
      this.viewports.request(entry.origin[0], row, column);
    }
  }

  remove() {
    clearTimeout(this.settling);
  }
}
