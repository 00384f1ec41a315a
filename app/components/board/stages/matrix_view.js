/**
 * One place where a matrix stands: a figure with a title and a grid. The canvas exists only near the screen; otherwise
 * the grid is an empty box of the right size.
 */

import { make } from "../../shared/dom.js";
import { typeset } from "../../shared/katex.js";
import { gradientText } from "../../shared/number_format.js";
import { paintLabels } from "../paint/axis_labels.js";
import { paintCells } from "../paint/cells.js";
import { firstOf } from "../paint/layout.js";
import { OwnScale } from "../paint/legend.js";
import { Overview } from "../paint/overview.js";
import { paintPicture } from "../paint/pixel_heatmap.js";

let views = 0;

export class MatrixView {
  /** @param {Matrix} matrix @param {Board} board */
  constructor(matrix, board) {
    this.matrix = matrix;
    this.board = board;
    this.id = `cell-${views++}`;
    this.isOverview = false;
    this.near = false;
    this.active = { i: 0, j: 0 };
    /** the cell whose labels are emphasized */
    this.marked = /** @type {{i: number, j: number} | null} */ (null);
    this.repaint = this.relabel = true;
    this.dx = this.dy = 0;
    this.build();
    matrix.views.add(this);
  }

  build() {
    this.el = make("figure", { class: "matrix" });
    const caption = make("figcaption");
    this.symbol = make("span", { class: "symbol" });
    this.note = make("span", { class: "note" });
    this.scale = new OwnScale();
    this.headTag = make("span", { class: "head-tag" });
    caption.append(this.symbol, this.headTag, this.note, this.scale.el);
    this.grid = make("div", { class: "grid" });
    this.grid.setAttribute("role", "grid");
    this.grid.setAttribute("aria-describedby", "grid-help");
    this.grid.tabIndex = -1;
    this.window = make("div", { class: "window" });
    this.sheet = make("div", { class: "sheet" });
    this.window.append(this.sheet);
    this.window.tabIndex = -1;
    this.window.setAttribute("aria-hidden", "true");
    this.cell = make("div", { class: "unseen" });
    this.cell.setAttribute("role", "gridcell");
    this.cell.id = this.id;
    const row = make("div", { class: "unseen" });
    row.setAttribute("role", "row");
    row.append(this.cell);
    this.row = row;
    this.grid.append(this.window, row);
    this.grid.setAttribute("aria-activedescendant", this.id);
    this.el.append(caption, this.grid);
    this.window.addEventListener("scroll", () => this.scrolled(), { passive: true });
  }

  /** Show another matrix in this place. @param {Matrix} matrix */
  adopt(matrix) {
    if (matrix === this.matrix) return;
    this.matrix.views.delete(this);
    this.matrix = matrix;
    matrix.views.add(this);
    this.geometry = undefined; // of another size, perhaps
  }

  /** The cell as its own matrix has it: a part that stands by itself, such as a window, belongs to one. */
  origin(i, j) {
    const { origin: [path, row, column] = [this.matrix.path, 0, 0], products } = this.matrix.entry;
    return products ? [path, row, column] : [path, row + i, column + j];
  }

  /** All that is drawn here: watched for as one. */
  get matrices() {
    return this.overview ? [this.matrix, this.overview.matrix] : [this.matrix];
  }

  /** A window has the overview of its matrix above it. */
  describeOverview(entry) {
    const matrix = entry.overview && this.board.matrices.get(entry.overview);
    if (!matrix) {
      this.overview?.remove();
      this.overview = null;
      return;
    }
    if (this.overview) this.overview.adopt(matrix);
    else {
      this.overview = new Overview(this, matrix);
      this.el.insertBefore(this.overview.el, this.grid);
      if (this.near) this.overview.approach(true);
    }
    this.overview.describe();
  }

  /** @param {object} entry what the manifest says of this place */
  describe(entry) {
    const { name } = this.matrix;
    this.el.className = `matrix role-${entry.role || "plain"}${entry.editable ? " editable" : ""}${entry.constant ? " constant" : ""}`;
    this.el.dataset.path = entry.path;
    typeset(this.symbol, entry.tex);
    this.note.textContent = entry.note || "";
    this.headTag.textContent = typeof entry.head === "number" ? `head ${entry.head + 1}` : "";
    const [rows, cols] = entry.whole || [entry.rows, entry.cols];
    const size = `${rows} rows by ${cols} columns${entry.overview ? ", seen through a window" : ""}`;
    this.grid.setAttribute(
      "aria-label",
      `${name}, ${size}${entry.editable ? ", can be edited" : ""}`,
    );
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", cols);
    this.el.classList.toggle("large", Boolean(entry.overview));
    this.describeOverview(entry);
    this.grid.setAttribute("aria-readonly", String(!entry.editable));
    const within = (k, size) => Math.max(0, Math.min(k, size - 1));
    this.active = { i: within(this.active.i, entry.rows), j: within(this.active.j, entry.cols) };
    this.materialize();
    this.relabel = true;
  }

  /** @param {Geometry} g */
  place(g) {
    this.overview?.place(g);
    const old = this.geometry;
    if (
      old &&
      this.ratio === devicePixelRatio &&
      Object.keys(g).every((key) => g[key] === old[key])
    )
      return;
    this.geometry = g;
    this.ratio = devicePixelRatio;
    const edges = (count, start, step) =>
      Int32Array.from({ length: count + 1 }, (_, k) => Math.round((start + k * step) * this.ratio));
    this.xs = edges(this.matrix.cols, g.label, g.cell);
    this.ys = edges(this.matrix.rows, g.top, g.height);
    this.shown = g.mode === "picture" ? null : new Float64Array(this.matrix.cells).fill(-1);
    const scrolls = g.full > g.windowWidth || g.tall > g.windowHeight;
    this.window.classList.toggle("scrolls", scrolls);
    const bar = scrolls ? 12 : 0;
    this.window.style.width = `${g.windowWidth + (g.tall > g.windowHeight ? bar : 0)}px`;
    this.window.style.height = `${g.windowHeight + (g.full > g.windowWidth ? bar : 0)}px`;
    this.sheet.style.width = `${g.full}px`;
    this.sheet.style.height = `${g.tall}px`;
    if (this.canvas) this.size();
    this.repaint = true;
  }

  size() {
    const { windowWidth, windowHeight } = this.geometry;
    this.canvas.width = Math.round(windowWidth * this.ratio);
    this.canvas.height = Math.round(windowHeight * this.ratio);
    this.canvas.style.width = `${windowWidth}px`;
    this.canvas.style.height = `${windowHeight}px`;
    this.repaint = true;
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    this.overview?.approach(near);
    if (near && !this.canvas) {
      this.canvas = make("canvas");
      this.canvas.setAttribute("aria-hidden", "true");
      this.ctx = this.canvas.getContext("2d");
      this.sheet.prepend(this.canvas);
      if (this.geometry) this.size();
      this.board.touch(this);
    } else if (!near && this.canvas) {
      if (this.board.pointed?.view === this) this.board.grids.point(null, null);
      this.canvas.width = 0; // gives its memory back at once
      this.canvas.remove();
      this.canvas = this.ctx = this.small = this.image = null;
    }
  }

  scrolled() {
    this.dx = Math.round(this.window.scrollLeft * this.ratio);
    this.dy = Math.round(this.window.scrollTop * this.ratio);
    this.repaint = true;
    this.board.touch(this);
  }

  /** [first row, row after the last, first column, column after the last] in the window. */
  inSight() {
    const { geometry: g, matrix, ratio } = this;
    const x = this.dx / ratio,
      y = this.dy / ratio;
    return [
      Math.max(0, Math.floor(y / g.height)),
      Math.min(matrix.rows, Math.ceil((y + g.windowHeight - g.top) / g.height)),
      Math.max(0, Math.floor(x / g.cell)),
      Math.min(matrix.cols, Math.ceil((x + g.windowWidth - g.label) / g.cell)),
    ];
  }

  /** @returns {boolean} whether anything was drawn */
  paint() {
    if (!this.canvas || !this.geometry) return false;
    const { ctx, matrix, board, geometry } = this;
    this.theme = board.theme;
    this.notation = board.cellNotation;
    // What is to be painted is on its way: until then what is there stays.
    if (matrix.values && !matrix.plane(board.view.plane)) return false;
    const scrolls = this.window.classList.contains("scrolls");
    const whole = this.repaint;
    if (whole) ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (matrix.values) {
      matrix.rescale(board.ownScales, board.view.plane);
      this.scale.show(board.ownScales && matrix.maximum > 0 ? matrix.maximum : null);
      if (geometry.mode === "picture") paintPicture(this);
      else {
        this.sprites = board.spritesFor(geometry, this.ratio);
        paintCells(this, whole || scrolls);
      }
    }
    if (whole || this.relabel || scrolls) paintLabels(this);
    this.repaint = this.relabel = false;
    return true;
  }

  /** @returns {{i: number, j: number} | null} the cell at a place of the viewport */
  cellAt(clientX, clientY) {
    const g = this.geometry;
    if (!g) return null;
    const box = this.window.getBoundingClientRect();
    const x = clientX - box.left,
      y = clientY - box.top;
    if (x < g.label || y < g.top || x > g.windowWidth || y > g.windowHeight) return null;
    const i = Math.floor((y - g.top + this.window.scrollTop) / g.height);
    const j = Math.floor((x - g.label + this.window.scrollLeft) / g.cell);
    return i < this.matrix.rows && j < this.matrix.cols ? { i, j } : null;
  }

  /** Where cells (i, j) … (i2, j2) lie on the sheet, in CSS px. */
  boxOf(i, j, i2 = i, j2 = j) {
    const { xs, ys, ratio } = this,
      gap = this.geometry.cell < 8 ? 0 : Math.max(1, Math.floor(ratio));
    const width = (xs[j2 + 1] - xs[j] - gap) / ratio,
      height = (ys[i2 + 1] - ys[i] - gap) / ratio;
    return { x: xs[j] / ratio, y: ys[i] / ratio, width, height };
  }

  /** Scroll the window, not the page, so that the cell is in it and clear of the labels. */
  reveal(i, j) {
    const g = this.geometry,
      w = this.window;
    if (!g || !w.classList.contains("scrolls")) return;
    const x = j * g.cell,
      y = i * g.height;
    w.scrollLeft = Math.max(Math.min(w.scrollLeft, x), x + g.cell - (g.windowWidth - g.label));
    w.scrollTop = Math.max(Math.min(w.scrollTop, y), y + g.height - (g.windowHeight - g.top));
    this.dx = Math.round(w.scrollLeft * this.ratio);
    this.dy = Math.round(w.scrollTop * this.ratio);
  }

  /** The one cell that a screen reader finds here. */
  materialize() {
    const { i, j } = this.active,
      { matrix } = this;
    if (!matrix.cells) return;
    const [above, before] = firstOf(matrix.entry);
    this.row.setAttribute("aria-rowindex", above + i + 1);
    this.cell.setAttribute("aria-colindex", before + j + 1);
    const chosen = this.board.selection;
    const isChosen =
      chosen !== null && [chosen.path, chosen.i, chosen.j].join() === this.origin(i, j).join();
    this.cell.setAttribute("aria-selected", String(isChosen));
    this.cell.textContent = this.sentence(i, j);
  }

  /** W^Q head 1, row d3, column k1: −4.1e-1 */
  sentence(i, j) {
    const { entry, values, gradients, cols, name } = this.matrix;
    const value = values ? this.board.spokenNumber(values[i * cols + j]) : "not computed yet";
    const slope =
      this.board.showsGradients && gradients
        ? `, gradient ${gradientText(gradients[i * cols + j])}`
        : "";
    return `${name}, row ${entry.row_labels[i] || "∅"}, column ${entry.col_labels[j] || "∅"}: ${value}${slope}`;
  }

  /** The window has moved: other rows and columns under the same cells. */
  relabeled() {
    this.el.dataset.path = this.matrix.path;
    this.relabel = true;
    this.overview?.showFrame();
    this.materialize();
  }

  mark(cell) {
    const now = this.marked;
    if (now === cell || (now && cell && now.i === cell.i && now.j === cell.j)) return;
    this.marked = cell;
    this.relabel = true;
    // Links drawn from the same weights light up with the row.
    this.board.touchMatrix(this.matrix);
  }

  remove() {
    this.approach(false);
    this.overview?.remove();
    this.matrix.views.delete(this);
  }
}
