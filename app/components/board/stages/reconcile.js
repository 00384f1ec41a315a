/** The stages on the page against the stages of a new manifest: what did not change stays, so that typing a token moves
 * neither the focus nor the scroll position, and costs little. */

import { Matrix } from "../data/matrix.js";
import { Stage, stageKey } from "./stage.js";

/** @param {Board} board @param {object} manifest */
export function updateTree(board, manifest) {
  const known = board.matrices;
  board.manifest = manifest;
  board.matrices = new Map();
  board.byIndex = manifest.matrices.map((entry, index) => {
    // A path that stands in several places is one matrix: the first mention describes it, views have their own notes.
    let matrix = board.matrices.get(entry.path);
    if (matrix) return matrix;
    matrix = known.get(entry.path);
    if (matrix) matrix.describe(entry, index);
    else matrix = new Matrix(entry, index);
    board.matrices.set(entry.path, matrix);
    return matrix;
  });
  board.large = new Map(
    board.byIndex.filter((m) => m.entry.overview).map((m) => [m.entry.origin[0], m]),
  );
  board.windows.reset();
  board.chooser.show(manifest.choices);
  const old = board.stages,
    focused = board.grids.focused?.matrix.path;
  board.stages = new Map();
  let before = /** @type {Element | null} */ (null);
  for (const spec of manifest.stages) {
    const key = stageKey(spec, manifest.matrices);
    let stage = old.get(spec.id);
    if (stage && stage.key === key) {
      stage.describe(spec);
    } else {
      const head = stage ? stage.head : 0;
      stage?.remove();
      stage = new Stage(spec, board);
      stage.key = key;
      stage.showHead(head);
    }
    old.delete(spec.id);
    board.stages.set(spec.id, stage);
    // Only what is out of order is moved: moving an element would take the focus from it.
    const next = before ? before.nextElementSibling : board.article.firstElementChild;
    if (next !== stage.el) board.article.insertBefore(stage.el, next);
    before = stage.el;
  }
  for (const stage of old.values()) stage.remove();
  board.chooser.explain();
  const views = [...board.stages.values()].flatMap((stage) => stage.views);
  board.viewOfGrid = new Map(
    [...views, ...views.flatMap((view) => view.overview || [])].map((view) => [view.grid, view]),
  );
  if (focused && !board.grids.focused)
    board.placeOf(board.matrices.get(focused))?.grid.focus({ preventScroll: true });
}
