/**
 * A view of a matrix in a stage: a figure with a title and a grid. The canvas exists only near the
 * screen; elsewhere the grid is an empty box of the right size.
 */

import { setNames } from "../../components/shared/cell_name.js";
import { make, setText } from "../../components/shared/dom.js";
import { isSameFormat, SCIENTIFIC } from "../../components/shared/number_format.js";
import { spokenCell } from "../data/cell_words.js";
import { paintLabels } from "../paint/axis_labels.js";
import { paintCells } from "../paint/cells.js";
import { firstOf } from "../paint/layout.js";
import { OwnScale } from "../paint/legend.js";
import { NearCanvas } from "../paint/near_canvas.js";
import { Overview } from "../paint/overview.js";
import { PixelHeatmap } from "../paint/pixel_heatmap.js";
import { isWhole, renewBadges, silenceBadge, silencedParts } from "../paint/silence_badge.js";
import { NearFormula } from "./near_formula.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Cell, CellOf, Lane, MatrixEntry, Send} from "../data/types.js"
 * @import {Surface} from "../paint/cells.js"
 * @import {Geometry} from "../paint/layout.js"
 * @import {GridServices} from "../paint/overview.js"
 * @import {GridView} from "../paint/view.js"
 */

const SCROLL_BAR = 12;

/** The least size of a cell that has gaps, in CSS px. */
const WITH_GAP = 8;

let views = 0;

/** @implements {GridView} */
export class MatrixView {
  /**
   * @param {Matrix} matrix @param {GridServices & {store: MatrixStore, send: Send}} services
   * @param {(view: MatrixView) => void} takeTab makes a view the Tab stop of its stage
   */
  constructor(matrix, services, takeTab) {
    this.kind = /** @type {const} */ ("cells");
    this.matrix = matrix;
    this.services = services;
    this.takeTab = () => takeTab(this);
    this.near = false;
    this.active = { i: 0, j: 0 };
    this.heading = /** @type {Cell | null} */ (null);
    /** The cell whose labels are emphasized. */
    this.marked = /** @type {Cell | null} */ (null);
    this.followed = /** @type {Lane | null} */ (null); // the lane of the followed word
    this.repaint = this.labelsToPaint = true;
    this.dx = this.dy = 0;
    this.geometry = /** @type {Geometry | null} */ (null);
    this.ratio = 1;
    this.xs = this.ys = new Int32Array(0);
    /** The encoded appearance of each cell on the canvas; see `paintCells`. */
    this.shown = new Float64Array(0);
    this.format = SCIENTIFIC;
    this.overview = /** @type {Overview | null} */ (null);
    this.symbol = new NearFormula(make("span", { class: "symbol" }));
    this.note = make("span", { class: "note" });
    this.scale = new OwnScale();
    this.silences = make("span", { class: "silence-badges" });
    this.sheet = make("div", { class: "sheet" });
    this.window = make(
      "div",
      { class: "window", tabindex: -1, "aria-hidden": "true", onscroll: () => this.scrolled() },
      this.sheet,
    );
    this.canvas = new NearCanvas(this.sheet);
    this.heatmap = new PixelHeatmap();
    const id = `cell-${views++}`;
    this.cell = make("div", { class: "unseen", role: "gridcell", id });
    this.row = make("div", { class: "unseen", role: "row" }, this.cell);
    this.grid = make(
      "div",
      {
        class: "grid",
        role: "grid",
        tabindex: -1,
        "aria-describedby": "grid-help",
        "aria-activedescendant": id,
      },
      this.window,
      this.row,
    );
    const caption = make("figcaption", {}, this.symbol.el, this.note, this.silences, this.scale.el);
    this.rest = make("p", { class: "rest", hidden: true });
    this.el = make("figure", { class: "matrix" }, caption, this.grid, this.rest);
    services.painter.add(matrix, this);
  }

  /**
   * Returns a cell's place in the whole matrix, of which the view may show only a window or a part.
   * @param {number} i @param {number} j @returns {CellOf}
   */
  origin(i, j) {
    const { origin: [path, row, column] = [this.matrix.path, 0, 0], products } = this.matrix.entry;
    return products ? { path, i: row, j: column } : { path, i: row + i, j: column + j };
  }

  /** All matrices that this view draws. */
  get matrices() {
    return this.overview ? [this.matrix, this.overview.matrix] : [this.matrix];
  }

  /** Creates the overview above a window. @param {MatrixEntry} entry */
  describeOverview(entry) {
    const matrix = entry.overview && this.services.store.matrices.get(entry.overview);
    if (!matrix) {
      this.overview?.remove();
      this.overview = null;
      return;
    }
    if (this.overview) this.services.painter.replace(this.overview, matrix);
    else {
      this.overview = new Overview(matrix, this, this.services);
      this.el.insertBefore(this.overview.el, this.grid);
      if (this.near) this.overview.approach(true);
    }
    this.overview.describe();
  }

  /** @param {MatrixEntry} entry the manifest entry of this view */
  describe(entry) {
    const { editable, whole, overview } = entry;
    const more = { editable, constant: entry.constant, large: Boolean(overview) };
    this.el.className = `matrix role-${entry.role || "plain"}`;
    for (const [name, isOn] of Object.entries(more)) this.el.classList.toggle(name, Boolean(isOn));
    this.el.dataset.path = entry.path;
    this.symbol.show(entry.tex);
    setNames(this.note, entry.note ?? "");
    const [rows, cols] = whole ?? [entry.rows, entry.cols];
    const size = `${rows} rows by ${cols} columns${overview ? ", seen through a window" : ""}`;
    const name = `${this.matrix.name}, ${size}${editable ? ", can be edited" : ""}`;
    this.grid.setAttribute("aria-label", name);
    this.grid.setAttribute("aria-rowcount", String(rows));
    this.grid.setAttribute("aria-colcount", String(cols));
    this.grid.setAttribute("aria-readonly", String(!editable));
    this.describeSilences();
    this.describeOverview(entry);
    this.active = { i: within(this.active.i, entry.rows), j: within(this.active.j, entry.cols) };
    this.materialize();
    this.labelsToPaint = true;
  }

  /** Shows badges of silenced parts in the title, in place of the note. */
  describeSilences() {
    const { store, send } = this.services;
    const { path } = this.origin(0, 0);
    const parts = silencedParts(store, (part) => part.path === path);
    this.el.classList.toggle("silenced", parts.some(isWhole));
    this.note.hidden = parts.length > 0;
    const made = parts.map((part) => silenceBadge(part, send, isWhole(part) ? "" : part.label));
    renewBadges(this.silences, made, this.grid);
  }

  /** @param {Geometry} g */
  place(g) {
    this.overview?.place(g);
    const old = this.geometry;
    if (old && this.ratio === devicePixelRatio && isSame(g, old)) return;
    this.geometry = g;
    const ratio = devicePixelRatio;
    this.ratio = ratio;
    /** @param {number} count @param {number} start @param {number} step */
    const edges = (count, start, step) =>
      Int32Array.from({ length: count + 1 }, (_, k) => Math.round((start + k * step) * ratio));
    this.xs = edges(this.matrix.cols, g.label, g.cell);
    this.ys = edges(this.matrix.rows, g.top, g.height);
    this.shown = new Float64Array(g.mode === "picture" ? 0 : this.matrix.cells).fill(-1);
    const wide = g.full > g.windowWidth;
    const tall = g.tall > g.windowHeight;
    this.window.classList.toggle("scrolls", wide || tall);
    this.rest.hidden = !wide && !tall;
    setText(
      this.rest,
      `Scroll in it for all of its ${this.matrix.rows} × ${this.matrix.cols} cells.`,
    );
    this.window.style.width = `${g.windowWidth + (tall ? SCROLL_BAR : 0)}px`;
    this.window.style.height = `${g.windowHeight + (wide ? SCROLL_BAR : 0)}px`;
    this.sheet.style.width = `${g.full}px`;
    this.sheet.style.height = `${g.tall}px`;
    this.size();
  }

  size() {
    if (this.geometry)
      this.canvas.size(this.geometry.windowWidth, this.geometry.windowHeight, this.ratio);
    this.repaint = true;
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    this.overview?.approach(near);
    if (near) this.symbol.arrive();
    if (!this.canvas.approach(near)) return;
    if (near) {
      this.size();
      this.services.painter.touch(this);
    } else {
      if (this.services.cursors.pointed?.view === this) this.services.unpoint();
      this.heatmap.clear();
    }
  }

  scrolled() {
    this.dx = Math.round(this.window.scrollLeft * this.ratio);
    this.dy = Math.round(this.window.scrollTop * this.ratio);
    this.repaint = true;
    this.services.painter.touch(this);
  }

  /** @param {Geometry} g @returns {Surface["inSight"]} */
  inSight(g) {
    const { matrix, ratio } = this;
    const x = this.dx / ratio;
    const y = this.dy / ratio;
    return [
      Math.max(0, Math.floor(y / g.height)),
      Math.min(matrix.rows, Math.ceil((y + g.windowHeight - g.top) / g.height)),
      Math.max(0, Math.floor(x / g.cell)),
      Math.min(matrix.cols, Math.ceil((x + g.windowWidth - g.label) / g.cell)),
    ];
  }

  paint() {
    const { matrix, geometry, ratio, xs, ys, dx, dy } = this;
    const { appearance } = this.services;
    const { ctx } = this.canvas;
    if (!ctx || !geometry) return false;
    const values = matrix.values && matrix.plane(appearance.plane);
    // The numbers of this plane have not arrived yet; keep the canvas until they arrive.
    if (matrix.values && !values) return false;
    const scrolls = this.window.classList.contains("scrolls");
    const strengths = this.services.strengths(matrix);
    const whole = this.repaint;
    if (whole) ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    const { theme, ownScales } = appearance;
    const inSight = this.inSight(geometry);
    const surface = { ctx, theme, geometry, ratio, xs, ys, dx, dy, inSight };
    if (values) {
      matrix.rescale(ownScales, appearance.plane);
      this.scale.show(ownScales && matrix.maximum > 0 ? matrix.maximum : null, matrix.isShare);
      if (geometry.mode === "picture") this.heatmap.paint(surface, matrix, values, strengths);
      else this.paintNumbers(surface, values, strengths, whole || scrolls);
    }
    if (whole || this.labelsToPaint || scrolls)
      paintLabels(surface, matrix.entry, geometry, this.marked, this.followed);
    this.repaint = this.labelsToPaint = false;
    return true;
  }

  /**
   * @param {Surface} surface @param {Float32Array} values
   * @param {Float32Array | null} strengths of the cells
   * @param {boolean} all whether to repaint all cells
   */
  paintNumbers(surface, values, strengths, all) {
    const { matrix, shown } = this;
    const { appearance } = this.services;
    const sprites = appearance.spritesFor(surface.geometry, this.ratio);
    const format = appearance.formatOf(matrix, sprites.characters);
    // In another format, the same digits are at other positions.
    if (all || !isSameFormat(format, this.format)) shown.fill(-1);
    this.format = format;
    paintCells(surface, matrix, values, { format, sprites, shown, strengths });
  }

  /** @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    const g = this.geometry;
    if (!g) return null;
    const box = this.window.getBoundingClientRect();
    const x = clientX - box.left;
    const y = clientY - box.top;
    if (x < g.label || y < g.top || x > g.windowWidth || y > g.windowHeight) return null;
    const i = Math.floor((y - g.top + this.window.scrollTop) / g.height);
    const j = Math.floor((x - g.label + this.window.scrollLeft) / g.cell);
    return i < this.matrix.rows && j < this.matrix.cols ? { i, j } : null;
  }

  /**
   * Returns the box of cells (i, j) … (i2, j2) on the sheet, in CSS px.
   * @param {number} i @param {number} j @param {number} [i2] @param {number} [j2]
   */
  boxOf(i, j, i2 = i, j2 = j) {
    const { xs, ys, ratio } = this;
    const hasGap = this.geometry !== null && this.geometry.cell >= WITH_GAP;
    const gap = hasGap ? Math.max(1, Math.floor(ratio)) : 0;
    return {
      x: xs[j] / ratio,
      y: ys[i] / ratio,
      width: (xs[j2 + 1] - xs[j] - gap) / ratio,
      height: (ys[i2 + 1] - ys[i] - gap) / ratio,
    };
  }

  /**
   * Scrolls the window, not the page, so that the cell is visible and not under the labels.
   * @param {number} i @param {number} j
   */
  reveal(i, j) {
    const { geometry: g, window: w } = this;
    if (!g || !w.classList.contains("scrolls")) return;
    const x = j * g.cell;
    const y = i * g.height;
    w.scrollLeft = Math.max(Math.min(w.scrollLeft, x), x + g.cell - (g.windowWidth - g.label));
    w.scrollTop = Math.max(Math.min(w.scrollTop, y), y + g.height - (g.windowHeight - g.top));
    this.dx = Math.round(w.scrollLeft * this.ratio);
    this.dy = Math.round(w.scrollTop * this.ratio);
  }

  topOf() {
    return this.sheet.getBoundingClientRect().y - this.window.scrollTop;
  }

  /** Updates the element of the active cell, for screen readers. */
  materialize() {
    const { i, j } = this.active;
    if (!this.matrix.cells) return;
    const [above, before] = firstOf(this.matrix.entry);
    this.row.setAttribute("aria-rowindex", String(above + i + 1));
    this.cell.setAttribute("aria-colindex", String(before + j + 1));
    const isSelected = this.services.cursors.isSelected(this.origin(i, j));
    this.cell.setAttribute("aria-selected", String(isSelected));
    setText(this.cell, this.sentence(i, j));
  }

  /** @param {number} i @param {number} j */
  sentence(i, j) {
    return spokenCell(this.matrix, this.services.appearance, i, j);
  }

  relabel() {
    this.el.dataset.path = this.matrix.path;
    this.labelsToPaint = true;
    this.showFrame();
    this.materialize();
  }

  showFrame() {
    this.overview?.showFrame();
  }

  /** @param {Lane | null} lane of the followed word */
  follow(lane) {
    this.followed = lane;
    this.labelsToPaint = true;
    this.services.painter.touch(this);
  }

  /** @param {Cell | null} cell */
  mark(cell) {
    const now = this.marked;
    if (now === cell || (now && cell && now.i === cell.i && now.j === cell.j)) return;
    this.marked = cell;
    this.labelsToPaint = true;
    // Repaint the other views of this matrix, too: its links highlight the row of the marked cell.
    this.services.painter.touchMatrix(this.matrix);
  }

  remove() {
    this.approach(false);
    this.overview?.remove();
    this.services.painter.remove(this.matrix, this);
  }
}

/** @param {number} k @param {number} size */
const within = (k, size) => Math.max(0, Math.min(k, size - 1));

/** @param {Geometry} a @param {Geometry} b */
function isSame(a, b) {
  const keys = /** @type {(keyof Geometry)[]} */ (Object.keys(a));
  return keys.every((key) => a[key] === b[key]);
}
