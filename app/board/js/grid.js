/**
 * Pointer and keyboard on the grids. One set of listeners on the board serves all of them. In a stage one grid at a time
 * takes part in the order of Tab; within it PageUp and PageDown go from matrix to matrix.
 */

class Grids {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.focused = /** @type {MatrixView | null} */ (null);
    this.last = /** @type {MatrixView | null} */ (null);
    const {root} = board;
    root.addEventListener("pointermove", e => this.pointed(e));
    root.addEventListener("pointerleave", () => this.point(null, null));
    root.addEventListener("click", e => this.clicked(e));
    root.addEventListener("keydown", e => this.pressed(e));
    root.addEventListener("focusin", e => this.entered(e));
    root.addEventListener("focusout", () => this.left());
  }

  /** @param {Event} event @returns {MatrixView | undefined} */
  viewOf(event) {
    const el = /** @type {Element} */ (event.target).closest?.(".grid");
    return el ? this.board.viewOfGrid.get(el) : undefined;
  }

  pointed(event) {
    if (event.pointerType === "touch") return;  // a finger that scrolls points at nothing
    const view = this.viewOf(event);
    this.point(view || null, view ? view.cellAt(event.clientX, event.clientY) : null);
  }

  point(view, cell) {
    const old = this.board.pointed;
    if (old && old.view !== view) old.view.mark(this.focused === old.view ? old.view.active : null);
    if (old && old.view !== view) old.view.grid.classList.remove("over-cell");
    view?.grid.classList.toggle("over-cell", Boolean(cell));
    this.board.pointed = view && cell ? {view, ...cell} : null;
    const [path, i, j] = view && cell ? view.origin(cell.i, cell.j) : [];
    this.board.hovers.at(path ? {path, i, j} : null);
    if (view) view.mark(cell || (this.focused === view ? view.active : null));
    this.board.rings.point(view, cell);
    this.board.status.refresh();
  }

  clicked(event) {
    const view = this.viewOf(event);
    const cell = view && view.cellAt(event.clientX, event.clientY);
    if (!cell) return;
    this.moveTo(view, cell.i, cell.j, true);
    view.grid.focus({preventScroll: true});
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
    const {selection, matrices} = this.board;
    const matrix = selection && matrices.get(selection.path);
    const view = this.last && this.last.grid.isConnected ? this.last : matrix && this.board.placeOf(matrix);
    if (view) view.grid.focus({preventScroll: false});
  }

  /** @param {MatrixView} view */
  moveTo(view, i, j, silent = false) {
    view.active = {i, j};
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
    const {active} = this.board.rings;
    if (active.isConnected) active.scrollIntoView({block: "nearest", inline: "nearest"});
  }

  pressed(event) {
    const view = this.viewOf(event);
    if (!view || event.target !== view.grid || event.altKey || event.metaKey) return;
    const {i, j} = view.active, rows = view.matrix.rows - 1, cols = view.matrix.cols - 1;
    const go = (y, x) => this.moveTo(view, Math.max(0, Math.min(rows, y)), Math.max(0, Math.min(cols, x)));
    const far = event.ctrlKey;
    this.point(null, null);  // whoever uses the keys reads the active cell, wherever the pointer was left
    switch (event.key) {
      case "ArrowUp": go(far ? 0 : i - 1, j); break;
      case "ArrowDown": go(far ? rows : i + 1, j); break;
      case "ArrowLeft": go(i, far ? 0 : j - 1); break;
      case "ArrowRight": go(i, far ? cols : j + 1); break;
      case "Home": go(far ? 0 : i, 0); break;
      case "End": go(far ? rows : i, cols); break;
      case "PageUp": this.toMatrix(view, -1); break;
      case "PageDown": this.toMatrix(view, 1); break;
      case "Enter":
      case " ":
        this.board.select(...view.origin(i, j));
        document.dispatchEvent(new CustomEvent("tinkerformer:focus-inspector"));
        break;
      case "Escape": this.board.select(null, 0, 0); break;
      default: return;
    }
    event.preventDefault();
  }

  toMatrix(view, step) {
    const all = [...this.board.viewOfGrid.values()].filter(v => v.grid.isConnected && v.el.offsetParent);
    const next = all[all.indexOf(view) + step];
    if (!next) return;
    next.el.scrollIntoView({block: "nearest"});
    next.grid.focus({preventScroll: true});
    this.moveTo(next, next.active.i, next.active.j);
  }
}
