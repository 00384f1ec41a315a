/** Finds where a cell is drawn, and scrolls to it. */

import { intoView } from "../../components/shared/into_view.js";

/**
 * @import {Formulas} from "../formulas.js"
 * @import {Numbers} from "../numbers.js"
 * @import {GridView} from "../paint/view.js"
 */

/**
 * @typedef {Pick<Numbers, "store" | "painter" | "viewports"> & Pick<Formulas, "stages">
 *   & {chooseHead: (id: string, head: number) => void}} PlaceServices
 */

const LEAST = { above: 80, below: 140 }; // CSS px that the header and the status bar take
const MIDDLE = 0.4; // fraction of the window's height to which a cell is scrolled

/** Whether a point is not covered by the header or the status bar. @param {number} y */
function isFree(y) {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  const above = Math.max(LEAST.above, Number.parseFloat(scrollPaddingTop) || 0);
  const below = Math.max(LEAST.below, Number.parseFloat(scrollPaddingBottom) || 0);
  return y >= above && y <= innerHeight - below;
}

export class Places {
  /** @param {HTMLElement} root the board's @param {PlaceServices} services */
  constructor(root, services) {
    this.root = root;
    this.services = services;
  }

  /**
   * Finds the view in which to show a cell: preferably a view on screen, otherwise the first view
   * that is not hidden. If the matrix itself is not drawn, uses views of its parts.
   * @param {string} path @param {number} i @param {number} j
   */
  of(path, i, j) {
    const { store, painter } = this.services;
    const matrix = store.drawn(path);
    const matrices = matrix ? [matrix] : store.partsWith(path, i, j);
    const places = matrices
      .flatMap((drawn) => [...painter.gridsOf(drawn)])
      .filter((view) => view.grid.isConnected);
    return (
      places.find((view) => view.near && view.el.offsetParent) ??
      places.find((view) => view.el.offsetParent) ??
      places.at(0)
    );
  }

  /**
   * @param {string} path @param {number} row @param {number} column
   * @returns {{view: GridView, y: number, x: number}} where the cell is drawn, or will be once its
   *   window has moved
   * @throws {Error} if the matrix is not in the open view
   */
  bringIntoView(path, row, column) {
    const view = this.of(path, row, column);
    if (!view || !this.root.clientWidth) throw new Error(`${path} is not in the open view`);
    const { i, j } = this.within(view, path, row, column);
    if (view.bring) {
      view.bring(i, j);
      return { view, y: i, x: j };
    }
    const { entry } = view.matrix;
    const { stages, chooseHead } = this.services;
    const stage = stages.all.find(({ el }) => el.contains(view.el));
    if (!view.el.offsetParent && stage && typeof entry.head === "number")
      chooseHead(stage.spec.id, entry.head);
    const top = () => view.topOf() + view.boxOf(i, j).y;
    if (!isFree(top())) intoView(view.el, { block: "center", behavior: "instant" });
    // In a matrix taller than the window, the cell may still be out of sight.
    if (!isFree(top())) scrollBy({ top: top() - innerHeight * MIDDLE, behavior: "instant" });
    view.reveal?.(i, j);
    return { view, y: i, x: j };
  }

  /**
   * Converts a cell of a matrix to indices in the drawn window or part, and moves the window there.
   * @param {GridView} view @param {string} path @param {number} row @param {number} column
   */
  within({ matrix }, path, row, column) {
    const { entry } = matrix;
    if (entry.overview) {
      const { viewports } = this.services;
      viewports.reveal(path, row, column);
      const place = viewports.on(path);
      return { i: row - (place?.row ?? 0), j: column - (place?.column ?? 0) };
    }
    if (entry.origin && matrix.path !== path)
      return { i: row - entry.origin[1], j: column - entry.origin[2] };
    return { i: row, j: column };
  }
}
