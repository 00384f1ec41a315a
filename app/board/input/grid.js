/**
 * Handles pointer and keyboard on the grids, with one set of listeners for all grids. In each stage
 * one grid is a Tab stop; keys move the focus between matrices.
 */

import { announce } from "../../components/shared/announce.js";
import { intoView } from "../../components/shared/into_view.js";
import { bindKeys } from "../../components/shared/keys.js";
import { FAR_GOALS, GOALS, spanOf } from "./grid_goals.js";

/**
 * @import {KeyBinding} from "../../components/shared/keys.js"
 * @import {Matrix} from "../data/matrix.js"
 * @import {Cell, CellOf} from "../data/types.js"
 * @import {Inputs} from "../inputs.js"
 * @import {Numbers} from "../numbers.js"
 * @import {GridView} from "../paint/view.js"
 * @import {Goal} from "./grid_goals.js"
 */

/**
 * @typedef {Pick<Numbers, "store" | "cursors" | "viewports">
 *   & Pick<Inputs, "rings" | "status" | "tip" | "hover"> & GridOnly} GridActions
 * @typedef {object} GridOnly
 * @property {(cell: CellOf | null) => void} select
 * @property {(path: string, i: number, j: number) => GridView | undefined} placeOf the view that
 *   draws a cell
 * @property {(view: GridView, cell: CellOf) => Cell} within the position of a cell in a view
 * @property {(place: Place) => Place | null} snap the position of the number nearest to a touch
 */

/** @typedef {{clientX: number, clientY: number}} Place in CSS px of the window */

/**
 * @typedef {object} ManyGrids several matrices drawn on one element
 * @property {HTMLElement} grid
 * @property {GridView[]} grids
 * @property {GridView | undefined} active the grid with the focus
 * @property {(clientX: number, clientY: number) => GridView | null} gridAt
 * @property {(el: Element) => Hit | null} standIn the cell that an element over `grid` represents
 *
 * @typedef {{view: GridView, cell: Cell | null}} Hit
 */

const TAP = 10; // CSS px that a finger may move in a tap

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
    this.due = /** @type {GridView | null} */ (null); // to announce again when its numbers arrive
    this.isChosen = false; // whether a key has just selected a cell
    this.told = ""; // the matrix whose place in the model was announced last
    /** The last position of the pointer, in fractions of a pixel. */
    this.finely = { clientX: 0, clientY: 0 };
    /** The position of a touch, and the position of the number that it is meant for. */
    this.snapped = /** @type {{from: Place, to: Place} | null} */ (null);
    root.addEventListener("pointerdown", (event) => this.snap(event), { capture: true });
    for (const type of /** @type {const} */ (["pointerdown", "pointermove"]))
      root.addEventListener(type, ({ clientX, clientY }) => {
        this.finely = { clientX, clientY };
      });
    root.addEventListener("pointermove", (event) => this.pointed(event));
    root.addEventListener("pointerleave", () => this.point(null, null));
    root.addEventListener("click", (event) => this.clicked(event));
    bindKeys(root, "On the numbers", this.keys());
    root.addEventListener("focusin", (event) => this.entered(event));
    root.addEventListener("focusout", () => this.left());
  }

  /** Takes the views of a new manifest. @param {GridView[]} views @param {ManyGrids | null} many */
  take(views, many) {
    this.views = new Map(views.map((view) => [view.grid, view]));
    this.many = many;
  }

  /** @param {Event} event */
  viewOf(event) {
    const { target } = event;
    const el = target instanceof Element ? target.closest(".grid, .overview, .picture") : null;
    if (!el) return undefined;
    const { many } = this;
    if (el !== many?.grid) return this.views.get(el);
    if (!(event instanceof MouseEvent)) return many.active;
    const { clientX, clientY } = this.placeOf(event);
    return many.gridAt(clientX, clientY) ?? undefined;
  }

  /**
   * The exact position of a pointer. A click's is rounded, perhaps into another cell.
   * @param {MouseEvent} event
   */
  placeOf({ clientX, clientY }) {
    const { finely, snapped } = this;
    if (snapped && isWithin(snapped.from, clientX, clientY, TAP)) return snapped.to;
    return isWithin(finely, clientX, clientY, 1) ? finely : { clientX, clientY };
  }

  /** @param {PointerEvent} event */
  snap({ pointerType, clientX, clientY }) {
    const from = { clientX, clientY };
    const to = pointerType === "touch" ? this.actions.snap(from) : null;
    this.snapped = to && { from, to };
  }

  /** The cell under the pointer. @param {MouseEvent} event */
  hit(event) {
    const { target } = event;
    const { clientX, clientY } = this.placeOf(event);
    const standIn = target instanceof Element ? this.many?.standIn(target) : null;
    if (standIn) return standIn;
    const view = this.viewOf(event);
    return view ? { view, cell: view.cellAt(clientX, clientY) } : null;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    // Ignore fingers, because they scroll, and drags, because they hold a number.
    if (event.pointerType === "touch" || event.buttons) return;
    const hit = this.hit(event);
    this.point(hit?.view ?? null, hit?.cell ?? null);
  }

  /**
   * @param {GridView | null} view @param {Cell | null} cell of the view
   * @param {boolean} [isLed] whether another component points at the cell, not the pointer
   */
  point(view, cell, isLed = false) {
    const { rings, status, hover, tip } = this.actions;
    const { focused, pointed: old } = this.cursors;
    if (old && old.view !== view) {
      old.view.mark?.(focused === old.view ? old.view.active : null);
      old.view.grid.classList.remove("over-cell", "over-number");
    }
    view?.grid.classList.toggle("over-cell", cell !== null);
    view?.grid.classList.toggle("over-number", cell !== null && canBeDragged(view));
    this.cursors.pointed = view && cell ? { view, ...cell } : null;
    hover.at(view && cell ? view.origin(cell.i, cell.j) : null);
    view?.mark?.(cell ?? (focused === view ? view.active : null));
    rings.point(view, cell, isLed);
    tip.follow();
    status.refresh();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const { view, cell } = this.hit(event) ?? {};
    if (view?.kind !== "cells" || !cell) return;
    this.moveTo(view, cell.i, cell.j, true);
    view.grid.focus({ preventScroll: true });
    this.actions.select(view.origin(cell.i, cell.j));
  }

  /** @param {FocusEvent} event */
  entered(event) {
    const view = this.viewOf(event);
    if (!view) return;
    this.cursors.focused = this.last = view;
    view.takeTab?.();
    view.materialize?.();
    view.mark?.(view.active);
    this.actions.rings.focus(view);
    this.actions.status.refresh();
  }

  left() {
    this.cursors.focused?.mark?.(null);
    this.cursors.focused = null;
    this.actions.rings.focus(null);
    this.actions.status.refresh();
  }

  /** Focuses the selected number, or the matrix that had the focus last, or the first matrix. */
  restoreFocus() {
    const { selection } = this.cursors;
    const isThere = this.last?.grid.isConnected && !this.last.grid.closest("[hidden]");
    const last = isThere ? this.last : null;
    const first = this.many?.active ?? this.shownGrids().at(0);
    const selected = selection && this.actions.placeOf(selection.path, selection.i, selection.j);
    const view = selected ?? last ?? first;
    if (!view) return;
    view.grid.focus({ preventScroll: false });
    const at = selection && selected && this.actions.within(view, selection);
    this.goTo(view, at?.i ?? view.active.i, at?.j ?? view.active.j);
  }

  /** Moves the focus to a drawn cell. @param {CellOf} cell */
  walkTo(cell) {
    const view = this.actions.placeOf(cell.path, cell.i, cell.j);
    if (!view) return;
    intoView(view.el, { block: "nearest" });
    view.grid.focus({ preventScroll: true });
    const { i, j } = this.actions.within(view, cell);
    this.told = "";
    this.goTo(view, i, j);
  }

  /** @param {GridView} view @param {number} i @param {number} j @param {boolean} [silent] */
  moveTo(view, i, j, silent = false) {
    const { rings, status } = this.actions;
    const isFocused = this.cursors.focused === view;
    view.active = { i, j };
    view.reveal?.(i, j);
    view.materialize?.();
    if (isFocused || silent) {
      view.mark?.(view.active);
      rings.focus(isFocused ? view : null);
    }
    if (!silent) {
      // On entering a matrix, announce its place in the model.
      const { path, entry } = view.matrix;
      const place = path !== this.told && entry.place ? `${entry.place}: ` : "";
      this.told = path;
      status.say(`${place}${view.sentence(i, j)}`);
      this.due = view.matrix.values ? null : view;
      // Scroll the page only if the active cell is out of sight or under the status bar.
      if (rings.active.isConnected) intoView(rings.active, { block: "nearest", inline: "nearest" });
    }
    status.refresh();
  }

  /** @returns {KeyBinding[]} */
  keys() {
    /**
     * @param {string[]} keys @param {string} does
     * @param {(view: GridView, event: KeyboardEvent) => void} act
     */
    const bound = (keys, does, act) => ({
      ...{ keys, does },
      run: (/** @type {KeyboardEvent} */ event) => this.pressed(event, act),
    });
    /** @param {string[]} keys @param {string} does @param {typeof GOALS} goals */
    const moves = (keys, does, goals) =>
      bound(keys, does, (view, { key }) => this.step(view, goals[key]));
    const arrows = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"];
    const far = arrows.map((key) => `Control+${key}`);
    return [
      moves(arrows, "from number to number", GOALS),
      moves(["Home", "End"], "the ends of the row", GOALS),
      moves(far, "the ends of the row and of the column", FAR_GOALS),
      moves(["Control+Home", "Control+End"], "the corners of the matrix", FAR_GOALS),
      bound(["PageDown", "]"], "the next matrix", (view) => this.toMatrix(view, 1)),
      bound(["PageUp", "["], "the matrix before", (view) => this.toMatrix(view, -1)),
      bound(["Enter", "Space"], "selects the number, and goes to its slider", (view) =>
        this.choose(view),
      ),
    ];
  }

  /**
   * @param {KeyboardEvent} event @param {(view: GridView, event: KeyboardEvent) => void} act
   * @returns {boolean} whether a grid has the focus
   */
  pressed(event, act) {
    const view = this.viewOf(event);
    if (!view || event.target !== view.grid) return false;
    // A click or a new structure may have moved the focus to another matrix of the picture.
    if (this.cursors.focused !== view) this.cursors.focused = this.last = view;
    // After a key, show the active cell instead of the cell under the pointer.
    this.point(null, null);
    act(view, event);
    return true;
  }

  /** Announces the active cell again, once its number has arrived. */
  sayDue() {
    const { due } = this;
    if (!due?.matrix.values) return;
    this.due = null;
    const { i, j } = due.active;
    if (due === this.cursors.focused) this.actions.status.say(due.sentence(i, j));
  }

  /** Moves to a cell, or to the next matrix. @param {GridView} view @param {Goal} goal */
  step(view, goal) {
    const reach = spanOf(view);
    const { i, j, rows, cols } = reach;
    const [y, x] = goal(reach);
    const next = view.beyond?.(Math.sign(y - i), Math.sign(x - j));
    const isOut = y < 0 || x < 0 || y > rows || x > cols;
    if (isOut && next) this.goTo(next.view, next.i, next.j);
    else this.go(view, Math.max(0, Math.min(rows, y)), Math.max(0, Math.min(cols, x)));
  }

  /** Selects the active cell and moves the focus to the inspector. @param {GridView} view */
  choose(view) {
    this.isChosen = true;
    this.actions.select(view.origin(view.active.i, view.active.j));
    announce("focus-inspector");
  }

  /** Moves the focus to this matrix. @param {GridView} view @param {number} i @param {number} j */
  goTo(view, i, j) {
    this.cursors.focused?.mark?.(null);
    this.cursors.focused = this.last = view;
    this.moveTo(view, i, j);
  }

  /** @param {GridView} view @param {number} i @param {number} j j indices in the whole matrix */
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
      view.relabel?.();
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

  /** The visible grids of the stages, in order. */
  shownGrids() {
    return [...this.views.values()].filter(
      ({ kind, grid, el }) => kind === "cells" && grid.isConnected && el.offsetParent,
    );
  }

  /** @param {GridView} view @param {number} step */
  toMatrix(view, step) {
    const { many } = this;
    const all = many ? many.grids.filter(({ kind }) => kind === "cells") : this.shownGrids();
    const next = all[all.indexOf(view) + step];
    if (!next) return;
    if (many) {
      // In a matrix of the same size, such as the one of the next head, go to the same cell.
      const { rows, cols } = view.matrix;
      const isAlike = next.matrix.rows === rows && next.matrix.cols === cols;
      const { i, j } = (isAlike ? view : next).active;
      this.goTo(next, i, j);
      return;
    }
    intoView(next.el, { block: "nearest" });
    next.grid.focus({ preventScroll: true });
    this.moveTo(next, next.active.i, next.active.j);
  }
}

/** @param {Place} place @param {number} x @param {number} y @param {number} most px away */
const isWithin = ({ clientX, clientY }, x, y, most) =>
  Math.abs(x - clientX) < most && Math.abs(y - clientY) < most;

/** Whether dragging changes numbers of a grid. @param {GridView} view */
const canBeDragged = ({ kind, matrix: { entry } }) =>
  kind === "cells" && !entry.fixed && !entry.products;
