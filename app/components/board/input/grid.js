/**
 * Pointer and keyboard on the grids. One set of listeners on the board serves all of them. In a stage one grid at a time
 * takes part in the order of Tab; within it PageUp and PageDown go from matrix to matrix.
 */

export class Grids {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.focused = /** @type {MatrixView | null} */ (null);
    this.last = /** @type {MatrixView | null} */ (null);
    const { root } = board;
    root.addEventListener("pointermove", (e) => this.pointed(e));
    root.addEventListener("pointerleave", () => this.point(null, null));
    root.addEventListener("click", (e) => this.clicked(e));
    root.addEventListener("keydown", (e) => this.pressed(e));
    root.addEventListener("focusin", (e) => this.entered(e));
    root.addEventListener("focusout", () => this.left());
  }

  /** @param {Event} event @returns {MatrixView | undefined} */
  viewOf(event) {
    const el = /** @type {Element} */ (event.target).closest?.(".grid, .overview");
    return el ? this.board.viewOfGrid.get(el) : undefined;
  }

  pointed(event) {
    if (event.pointerType === "touch") return; // a finger that scrolls points at nothing
    const view = this.viewOf(event);
    this.point(view || null, view ? view.cellAt(event.clientX, event.clientY) : null);
  }

  point(view, cell) {
    const old = this.board.pointed;
    if (old && old.view !== view) old.view.mark(this.focused === old.view ? old.view.active : null);
    if (old && old.view !== view) old.view.grid.classList.remove("over-cell");
    view?.grid.classList.toggle("over-cell", Boolean(cell));
    this.board.pointed = view && cell ? { view, ...cell } : null;
    const [path, i, j] = view && cell ? view.origin(cell.i, cell.j) : [];
    this.board.hovers.at(path ? { path, i, j } : null);
    if (view) view.mark(cell || (this.focused === view ? view.active : null));
    this.board.rings.point(view, cell);
    this.board.status.refresh();
  }

  clicked(event) {
    const view = this.viewOf(event);
    const cell = view && !view.isOverview && view.cellAt(event.clientX, event.clientY);
    if (!cell) return;
    this.moveTo(view, cell.i, cell.j, true);
    view.grid.focus({ preventScroll: true });
    this.board.select(...view.origin(cell.i, cell.j));
  }

  entered(event) {
    const view = this.viewOf(event);
    if (!view) return;
    this.focused = this.last = view;
    view.stage.tabTo(view);
    view.materialize();
    view.mark(view.active);
    this.board.rings.focus(view);
    this.board.status.refresh();
  }

  left() {
    if (this.focused) this.focused.mark(null);
    this.focused = null;
    this.board.rings.focus(null);
    this.board.status.refresh();
  }

  /** Back from the inspector. */
  restoreFocus() {
    const { selection, matrices, large } = this.board;
    const matrix = selection && (large.get(selection.path) || matrices.get(selection.path));
    const view =
      this.last && this.last.grid.isConnected ? this.last : matrix && this.board.placeOf(matrix);
    if (view) view.grid.focus({ preventScroll: false });
  }

  /** @param {MatrixView} view */
  moveTo(view, i, j, silent = false) {
    view.active = { i, j };
    view.reveal(i, j);
    view.materialize();
    if (this.focused === view || silent) {
      view.mark(view.active);
      this.board.rings.focus(this.focused === view ? view : null);
    }
    if (!silent) {
      this.board.status.say(view.sentence(i, j));
      this.keepInSight(view);
    }
    this.board.status.refresh();
  }

  /** Scroll the page only if the active cell is out of sight or under the strip at the bottom. */
  keepInSight(view) {
    const { active } = this.board.rings;
    if (active.isConnected) active.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  pressed(event) {
    const view = this.viewOf(event);
    if (!view || event.target !== view.grid || event.altKey || event.metaKey) return;
    const { i, j, rows, cols } = this.reachOf(view);
    const go = (y, x) =>
      this.go(view, Math.max(0, Math.min(rows, y)), Math.max(0, Math.min(cols, x)));
    const far = event.ctrlKey;
    this.point(null, null); // whoever uses the keys reads the active cell, wherever the pointer was left
    switch (event.key) {
      case "ArrowUp":
        go(far ? 0 : i - 1, j);
        break;
      case "ArrowDown":
        go(far ? rows : i + 1, j);
        break;
      case "ArrowLeft":
        go(i, far ? 0 : j - 1);
        break;
      case "ArrowRight":
        go(i, far ? cols : j + 1);
        break;
      case "Home":
        go(far ? 0 : i, 0);
        break;
      case "End":
        go(far ? rows : i, cols);
        break;
      case "PageUp":
        this.toMatrix(view, -1);
        break;
      case "PageDown":
        this.toMatrix(view, 1);
        break;
      case "Enter":
      case " ":
        this.board.select(...view.origin(view.active.i, view.active.j));
        document.dispatchEvent(new CustomEvent("tinkerformer:focus-inspector"));
        break;
      case "Escape":
        this.board.select(null, 0, 0);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  /** The active cell and the last row and column: in a window those of its matrix, over which the keys scroll it. */
  reachOf(view) {
    const { entry, rows, cols } = view.matrix;
    if (!entry.overview) return { ...view.active, rows: rows - 1, cols: cols - 1 };
    const [, row, column] = entry.origin;
    return {
      i: row + view.active.i,
      j: column + view.active.j,
      ...view.heading,
      rows: entry.whole[0] - 1,
      cols: entry.whole[1] - 1,
    };
  }

  go(view, i, j) {
    const { overview, origin } = view.matrix.entry;
    if (!overview) {
      this.moveTo(view, i, j);
      return;
    }
    const [path, row, column] = origin,
      { windows } = this.board;
    windows.reveal(path, i, j, true);
    const to = windows.place(path);
    view.heading = to.row === row && to.column === column ? null : { i, j };
    if (!view.heading) this.moveTo(view, i - row, j - column);
  }

  /** The window has scrolled under the keys. @param {MatrixView} view */
  arrived(view) {
    const { i, j } = view.heading || {},
      [, row, column] = view.matrix.entry.origin,
      { rows, cols } = view.matrix;
    if (!view.heading || i < row || j < column || i >= row + rows || j >= column + cols) return;
    view.heading = null;
    this.moveTo(view, i - row, j - column);
  }

  toMatrix(view, step) {
    const all = [...this.board.viewOfGrid.values()].filter(
      (v) => !v.isOverview && v.grid.isConnected && v.el.offsetParent,
    );
    const next = all[all.indexOf(view) + step];
    if (!next) return;
    next.el.scrollIntoView({ block: "nearest" });
    next.grid.focus({ preventScroll: true });
    this.moveTo(next, next.active.i, next.active.j);
  }
}
