/** The point of the picture that zooming by key keeps fixed. */

import { rectOf } from "./plan.js";

/**
 * @import {CellOf, Lane} from "../data/types.js"
 * @import {Point} from "../labels/boxes.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

/**
 * Returns, in CSS px of the view, the selected number or else the row nearest to the view's middle,
 * preferably of the followed word; null if neither a number nor a row is in sight.
 * @param {Viewpoint} viewpoint @param {readonly Tile[]} tiles @param {CellOf | null} selection
 * @param {Lane | null} lane of the followed word
 */
export function zoomAnchor(viewpoint, tiles, selection, lane) {
  const { plan, view, covered } = viewpoint;
  const isSeen = (/** @type {Point} */ { x, y }) =>
    x > covered.left && x < view.width && y > covered.top && y < view.height;
  const selected = tiles.flatMap((tile) => {
    const first = tile.origin(0, 0);
    if (tile.kind !== "cells" || !selection || first?.path !== selection.path) return [];
    const [i, j] = [selection.i - first.i, selection.j - first.j];
    const { rows, cols } = tile.matrix;
    if (i < 0 || j < 0 || i >= rows || j >= cols) return [];
    const { x, y, width, height } = tile.boxOf(i, j);
    return { x: x + width / 2, y: y + height / 2 };
  });
  const rows = (plan?.matrices ?? []).flatMap((placed) => {
    const { stack, rows: count } = placed;
    const { x, y, width, height } = viewpoint.boxOf(rectOf(placed));
    return Array.from({ length: stack === null ? 0 : count }, (_, index) => ({
      ...{ x: x + width / 2, y: y + ((index + 0.5) / count) * height },
      isFollowed: stack === lane?.stack && index === lane.index,
    }));
  });
  const seen = rows.filter(isSeen);
  const own = seen.filter(({ isFollowed }) => isFollowed);
  const away = (/** @type {Point} */ { x, y }) =>
    Math.hypot(x - view.width / 2, y - view.height / 2);
  const nearest = (own.length ? own : seen).toSorted((a, b) => away(a) - away(b));
  return selected.find(isSeen) ?? nearest.at(0) ?? null;
}
