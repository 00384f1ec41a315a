/** A drawn structure: the plan of its layout, with the matrices and links at their places. */

import { isIndexLabel } from "../paint/layout.js";
import { LaneLinks } from "./lane_links.js";
import { WIDE } from "./next_words.js";
import { planOf } from "./plan.js";
import { Tile } from "./tile.js";

/**
 * @import {WholeEntry} from "../data/types.js"
 * @import {GridView} from "../paint/view.js"
 * @import {PictureServices} from "./picture_grid.js"
 */

export class Drawing {
  /** @param {WholeEntry} entry @param {PictureServices} picture */
  constructor(entry, picture) {
    this.picture = picture;
    const { byIndex } = picture.services.store;
    const sizeOf = (/** @type {number} */ index) => {
      const { rows, cols, entry: matrix } = byIndex[index];
      const { tex, path, whole, meaning, col_labels: names } = matrix;
      const ofWords = !names.every((name, k) => isIndexLabel(name, k));
      return { rows, cols, tex, path, whole, meaning, ofWords };
    };
    this.plan = planOf(entry, sizeOf, (picture.viewpoint.el.clientWidth || innerWidth) >= WIDE);
    /** In painting order. */
    this.tiles = this.plan.matrices.map((placed) => {
      const matrix = byIndex[placed.index];
      const isDots = matrix.entry.block !== undefined;
      return new Tile(picture, placed, matrix, isDots ? "dots" : "cells");
    });
    /** Windows on large matrices, painted over the blocks that represent the whole matrix. */
    this.windows = this.tiles.flatMap((dots) => {
      const window = byIndex.find(({ entry: { overview } }) => overview === dots.matrix.path);
      return window ? [{ dots, cells: new Tile(picture, dots.placed, window, "cells") }] : [];
    });
    // Last, so that they are painted on top and found first.
    this.tiles.push(...this.windows.map(({ cells }) => cells));
    this.links = this.plan.links.map((placed) => {
      const matrices = placed.item.lanes.map((index) => byIndex[index]);
      return new LaneLinks(picture, placed, matrices, this.plan.lanes);
    });
  }

  /** Grids in keyboard order. @returns {GridView[]} */
  get grids() {
    return [...this.tiles, ...this.links.flatMap(({ grids }) => grids)];
  }

  /** Tiles of cells that are in sight. */
  get cells() {
    return this.tiles.filter(({ kind, isInSight }) => kind === "cells" && isInSight);
  }

  /**
   * The grid under a pointer; null if there is none.
   * @param {number} clientX @param {number} clientY @returns {GridView | null}
   */
  gridAt(clientX, clientY) {
    const { viewpoint } = this.picture;
    const tile = this.tiles.findLast((each) => each.isInSight && each.cellAt(clientX, clientY));
    if (tile) return tile;
    const { x, y } = viewpoint.inView(clientX, clientY);
    for (const links of this.links) {
      const box = viewpoint.boxOf(links.placed.box);
      if (x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height) continue;
      const found = links.at(x, y);
      if (found) return found.grid;
    }
    return null;
  }

  remove() {
    for (const view of [...this.tiles, ...this.links]) view.remove();
  }
}
