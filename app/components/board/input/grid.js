/**
 * Handles pointer and keyboard on the grids, with one set of listeners for all. In each stage one
 * grid is a Tab stop; PageUp and PageDown move between its matrices.
 */

import { announce } from "../../shared/announce.js";

/**
 * @import {Cursors} from "../data/cursors.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Cell, CellOf} from "../data/types.js"
 * @import {Viewports} from "../data/viewports.js"
 * @import {Rings} from "../paint/rings.js"
 * @import {GridView} from "../paint/view.js"
 * @import {StatusBar} from "../stages/status_bar.js"
 * @import {Tip} from "../stages/tip.js"
 * @import {Hover} from "./hover.js"
 */

/**
 * @typedef {object} GridActions services for the grids
 * @property {MatrixStore} store
 * @property {Cursors<GridView>} cursors
 * @property {Viewports} viewports
 * @property {Rings} rings
 * @property {StatusBar} status
 * @property {Tip} tip
 * @property {Hover} hover
 * @property {(cell: CellOf | null) => void} select
 * @property {(path: string, i: number, j: number) => GridView | undefined} placeOf the view that
 *   draws a cell
 */

/**
 * @typedef {object} ManyGrids several matrices drawn on one element
 * @property {HTMLElement} grid
 * @property {GridView[]} grids
 * @property {GridView | undefined} active the grid with the focus
 * @property {(clientX: number, clientY: number) => GridView | null} gridAt
 */

export class Grids {
  /** @param {HTMLElement} root the board's @param {GridActions} actions */
  constructor(root, actions) {
    this.actions = actions;
    this.cursors = actions.cursors;
    /** @type {Map<Element, GridView>} in document order */
    this.views = new Map();
    /** A view that draws several matrices on one canvas. @type {ManyGrids | null} */
    this.many = null;
    this.last = /** @type {GridView | null} */ (null);
    root.addEventListener("pointermove", (event) => this.pointed(event));
    root.addEventListener("pointerleave", () => this.point(null, null));
    root.addEventListener("click", (event) => this.clicked(event));
    root.addEventListener("keydown", (event) => this.pressed(event));
    root.addEventListener("focusin", (event) => this.entered(event));
    root.addEventListener("focusout", () => this.left());
  }

  /** Takes the views of a new manifest. @param {GridView[]} views @param {ManyGrids | null} many */
  take(views, many) {
    this.views = new Map(views.map((view) => [view.grid, view]));
    this.many = many;
  }

  /** @param {Event} event @returns {GridView | undefined} */
  viewOf(event) {
    const { target } = event;
    const el = target instanceof Element ? target.closest(".grid, .overview, .picture") : null;
    if (!el) return undefined;
    const { many } = this;
    if (el !== many?.grid) return this.views.get(el);
    if (!(event instanceof MouseEvent)) return many.active;
    return many.gridAt(event.clientX, event.clientY) ?? undefined;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    // Ignore fingers, which scroll, and drags, which hold a number.
    if (event.pointerType === "touch" || event.buttons) return;
    const view = this.viewOf(event);
    this.point(view ?? null, view ? view.cellAt(event.clientX, event.clientY) : null);
  }

  /** @param {GridView | null} view @param {Cell | null} cell of it */
  point(view, cell) {
    const { rings, status, hover, tip } = this.actions;
    const { focused, pointed: old } = this.cursors;
    if (old && old.view !== view) {
      old.view.mark(focused === old.view ? old.view.active : null);
      old.view.grid.classList.remove("over-cell", "over-number");
    }
    view?.grid.classList.toggle("over-cell", cell !== null);
    view?.grid.classList.toggle("over-number", cell !== null && canBeDragged(view));
    this.cursors.pointed = view && cell ? { view, ...cell } : null;
    hover.at(view && cell ? view.origin(cell.i, cell.j) : null);
    view?.mark(cell ?? (focused === view ? view.active : null));
    rings.point(view, cell);
    tip.follow();
    status.refresh();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const view = this.viewOf(event);
    const cell = view?.kind === "cells" ? view.cellAt(event.clientX, event.clientY) : null;
    if (!view || !cell) return;
    this.moveTo(view, cell.i, cell.j, true);
    view.grid.focus({ preventScroll: true });
    this.actions.select(view.origin(cell.i, cell.j));
  }

  /** @param {FocusEvent} event */
  entered(event) {
    const view = this.viewOf(event);
    if (!view) return;
    this.cursors.focused = this.last = view;
    view.takeTab();
    view.materialize();
    view.mark(view.active);
    this.actions.rings.focus(view);
    this.actions.status.refresh();
  }

  left() {
    this.cursors.focused?.mark(null);
    this.cursors.focused = null;
    this.actions.rings.focus(null);
    this.actions.status.refresh();
  }

  /** Returns the focus to the grid from the inspector. */
  restoreFocus() {
    const { selection } = this.cursors;
    const last = this.last?.grid.isConnected ? this.last : null;
    const { path, i, j } = selection ?? { path: "", i: 0, j: 0 };
    const view = last ?? this.actions.placeOf(path, i, j);
    view?.grid.focus({ preventScroll: false });
  }

  /** @param {GridView} view @param {number} i @param {number} j @param {boolean} [silent] */
  moveTo(view, i, j, silent = false) {
    const { rings, status } = this.actions;
    const isFocused = this.cursors.focused === view;
    view.active = { i, j };
    view.reveal(i, j);
    view.materialize();
    if (isFocused || silent) {
      view.mark(view.active);
      rings.focus(isFocused ? view : null);
    }
    if (!silent) {
      status.say(view.sentence(i, j));
      // Scroll the page only if the active cell is out of sight or under the status bar.
      if (rings.active.isConnected)
        rings.active.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    status.refresh();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const view = this.viewOf(event);
    if (!view || event.target !== view.grid || event.altKey || event.metaKey) return;
    // A click or another structure may have moved the keyboard to another matrix of the picture.
    if (this.cursors.focused !== view) this.cursors.focused = this.last = view;
    const action = this.actionFor(view, event.key, event.ctrlKey);
    // With the keyboard, the active cell is read out, wherever the pointer is.
    this.point(null, null);
    if (!action) return;
    action();
    event.preventDefault();
  }

  /**
   * @param {GridView} view
   * @param {string} key
   * @param {boolean} far
   * @returns {(() => void) | undefined}
   */
  actionFor(view, key, far) {
    const { i, j, rows, cols } = reachOf(view);
    /** @param {number} y @param {number} x */
    const go = (y, x) => () => {
      const next = view.beyond?.(Math.sign(y - i), Math.sign(x - j));
      const isOut = y < 0 || x < 0 || y > rows || x > cols;
      if (isOut && next) this.goTo(next.view, next.i, next.j);
      else this.go(view, Math.max(0, Math.min(rows, y)), Math.max(0, Math.min(cols, x)));
    };
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowUp: go(far ? 0 : i - 1, j),
      ArrowDown: go(far ? rows : i + 1, j),
      ArrowLeft: go(i, far ? 0 : j - 1),
      ArrowRight: go(i, far ? cols : j + 1),
      Home: go(far ? 0 : i, 0),
      End: go(far ? rows : i, cols),
      PageUp: () => this.toMatrix(view, -1),
      PageDown: () => this.toMatrix(view, 1),
      Enter: () => this.choose(view),
      " ": () => this.choose(view),
    };
    return actions[key];
  }

  /** Selects the active cell and moves the focus to the inspector. @param {GridView} view */
  choose(view) {
    this.actions.select(view.origin(view.active.i, view.active.j));
    announce("focus-inspector");
  }

  /**
   * Moves the focus to another matrix.
   * @param {GridView} view @param {number} i @param {number} j
   */
  goTo(view, i, j) {
    this.cursors.focused?.mark(null);
    this.cursors.focused = this.last = view;
    this.moveTo(view, i, j);
  }

  /** @param {GridView} view @param {number} i @param {number} j indices in the whole matrix */
  go(view, i, j) {
    const { overview, origin } = view.matrix.entry;
    if (!overview || !origin) {
      this.moveTo(view, i, j);
      return;
    }
    const [path, row, column] = origin;
    const { viewports } = this.actions;
    viewports.reveal(path, i, j, true);
    const to = viewports.on(path);
    view.heading = !to || (to.row === row && to.column === column) ? null : { i, j };
    if (!view.heading) this.moveTo(view, i - row, j - column);
  }

  /**
   * Updates the views of a window that has moved.
   * @param {Matrix} matrix the window's matrix @param {GridView[]} views of the window
   */
  changedOver(matrix, views) {
    const { viewports, rings } = this.actions;
    for (const view of views) {
      view.relabel();
      this.arrived(view);
    }
    if (matrix.entry.overview) viewports.arrived();
    rings.show();
    if (this.cursors.focused) rings.focus(this.cursors.focused);
  }

  /** Focuses the goal after the keyboard has scrolled a window. @param {GridView} view */
  arrived(view) {
    const { heading, matrix } = view;
    const [, row, column] = matrix.entry.origin ?? ["", 0, 0];
    if (!heading) return;
    const i = heading.i - row;
    const j = heading.j - column;
    if (i < 0 || j < 0 || i >= matrix.rows || j >= matrix.cols) return;
    view.heading = null;
    this.moveTo(view, i, j);
  }

  /** @param {GridView} view @param {number} step */
  toMatrix(view, step) {
    if (this.many) {
      const all = this.many.grids.filter(({ kind }) => kind === "cells");
      const next = all[all.indexOf(view) + step];
      if (next) this.goTo(next, next.active.i, next.active.j);
      return;
    }
    const all = [...this.views.values()].filter(
      ({ kind, grid, el }) => kind === "cells" && grid.isConnected && el.offsetParent,
    );
    const next = all[all.indexOf(view) + step];
    if (!next) return;
    next.el.scrollIntoView({ block: "nearest" });
    next.grid.focus({ preventScroll: true });
    this.moveTo(next, next.active.i, next.active.j);
  }
}

/** Whether dragging changes numbers of a grid. @param {GridView} view */
const canBeDragged = ({ kind, matrix: { entry } }) =>
  kind === "cells" && !entry.fixed && !entry.products;

/**
 * Returns the active cell and the last row and column; for a window in terms of its whole matrix,
 * since the keyboard scrolls the window.
 * @param {GridView} view
 */
function reachOf(view) {
  const { entry, rows, cols } = view.matrix;
  if (!entry.overview || !entry.origin || !entry.whole)
    return { ...view.active, rows: rows - 1, cols: cols - 1 };
  const [, row, column] = entry.origin;
  return {
    i: row + view.active.i,
    j: column + view.active.j,
    ...view.heading,
    rows: entry.whole[0] - 1,
    cols: entry.whole[1] - 1,
  };
}
