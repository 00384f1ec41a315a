/**
 * The overview of a large matrix, above the window on the matrix: a picture in which each dot shows
 * the number of largest magnitude in its block. A frame shows the window's position; a click or a
 * drag moves the window. The keyboard scrolls the window itself.
 */

import { make, setText } from "../../components/shared/dom.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { paintChanged } from "./cells.js";
import { NearCanvas } from "./near_canvas.js";
import { PixelHeatmap } from "./pixel_heatmap.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Cell, FollowedLane, Lane, MatrixEntry} from "../data/types.js"
 * @import {Numbers} from "../numbers.js"
 * @import {Surface} from "./cells.js"
 * @import {Geometry} from "./layout.js"
 * @import {GridView} from "./view.js"
 */

const MAX_DOT = 10;
const MAX_HEIGHT = 150;
const LENS = 16;

/**
 * @typedef {Pick<Numbers, "appearance" | "painter" | "cursors" | "viewports" | "trail">
 *   & GridOnly} GridServices
 * @typedef {object} GridOnly services for the drawing of a matrix
 * @property {(matrix: Matrix) => Float32Array | null} strengths of cells, 0 … 1; null: all 1
 * @property {() => Lane | null} changedLane the row whose word the explained change changed
 * @property {(lane: Lane, end: "read" | "written") => number | null} wordStrength the strength of
 *   the word at an end of a row, 0 … 1; null if no word is emphasized
 * @property {() => {matrix: Matrix, i: number, j: number} | null} origin the number that affects
 *   the word in focus most; null if numbers cannot be changed
 * @property {() => FollowedLane | null} followed the followed word
 * @property {() => boolean} marksFound whether marks show the results of a search
 * @property {() => number} changeLevel strength of the emphasis of a recent change, 0 … 1
 * @property {() => string} learned the moment of the training that made the last change, if it did
 * @property {() => boolean} trains whether training changes the numbers now
 * @property {() => boolean} isFilmed whether the highlight of a film is shown
 * @property {(part: string) => number} grown the fraction of the length of a part's links that a
 *   film has drawn, 0 … 1
 * @property {() => void} unpoint called when the pointer leaves all cells
 */

/** @implements {GridView} */
export class Overview {
  /**
   * @param {Matrix} matrix the overview
   * @param {GridView} window the window below the overview
   * @param {GridServices} services
   */
  constructor(matrix, window, services) {
    this.kind = /** @type {const} */ ("dots");
    this.matrix = matrix;
    this.window = window;
    this.services = services;
    this.near = false;
    this.repaint = true;
    this.dragging = false;
    this.active = { i: 0, j: 0 };
    this.heading = /** @type {Cell | null} */ (null);
    this.geometry = /** @type {Geometry | null} */ (null);
    this.ratio = 1;
    this.xs = this.ys = new Int32Array(0);
    this.frame = make("div", { class: "frame" });
    this.sheet = make("div", { class: "dots" }, this.frame);
    this.note = make("p", { class: "overview-note" });
    this.cone = { across: 0, path: "" }; // from the frame to the window, CSS px
    const { node: lens, show } = drawn(() => {
      const { across, path } = this.cone;
      return html`<svg class="lens" aria-hidden="true" viewBox="0 0 ${across} ${LENS}"
        style="width: ${across}px; height: ${LENS}px"><path d=${path}></path></svg>`;
    });
    this.showCone = show;
    this.el = make("div", { class: "overview", role: "img" }, this.note, this.sheet, lens);
    this.grid = this.el;
    this.canvas = new NearCanvas(this.sheet);
    this.heatmap = new PixelHeatmap();
    this.listen();
    services.painter.add(matrix, this);
  }

  listen() {
    const { sheet } = this;
    const released = () => {
      this.dragging = false;
    };
    sheet.addEventListener("pointerdown", (event) => this.pressed(event));
    sheet.addEventListener("pointermove", (event) => {
      if (this.dragging) this.moveTo(event);
    });
    sheet.addEventListener("pointerup", released);
    sheet.addEventListener("pointercancel", released);
    sheet.addEventListener("lostpointercapture", released);
  }

  get matrices() {
    return [this.matrix];
  }

  /** The large matrix's size, and the number of its cells per dot. */
  get whole() {
    const { origin: [path] = [""], block = [1, 1], whole = [0, 0] } = this.matrix.entry;
    return { path, high: block[0], wide: block[1], rows: whole[0], cols: whole[1] };
  }

  describe() {
    const { high, wide, rows, cols } = this.whole;
    const isBlock = high * wide > 1;
    const each = isBlock
      ? `Each dot stands for ${high} × ${wide} numbers: the one of largest magnitude.`
      : "Each dot is one number.";
    setText(
      this.note,
      isBlock ? `each dot: the largest of ${high} × ${wide}` : "each dot: one number",
    );
    this.sheet.title = `${each} Press or drag to move the window below.`;
    this.el.setAttribute(
      "aria-label",
      `${this.matrix.name}, overview of ${rows} × ${cols} numbers. ${each}`,
    );
    this.showFrame();
  }

  /** @param {Geometry} window geometry of the window below */
  place(window) {
    const { rows, cols } = this.matrix;
    const ratio = devicePixelRatio;
    const cell = Math.min(MAX_DOT, window.full / cols);
    const height = Math.max(rows === 1 ? 14 : 2, Math.min(MAX_DOT, Math.floor(MAX_HEIGHT / rows)));
    this.geometry = { ...window, mode: /** @type {const} */ ("picture"), cell, height };
    this.ratio = ratio;
    this.xs = edges(cols, cell * ratio);
    this.ys = edges(rows, height * ratio);
    this.sheet.style.width = `${cols * cell}px`;
    this.sheet.style.height = `${rows * height}px`;
    this.size();
    this.showFrame();
  }

  size() {
    if (!this.geometry) return;
    const { rows, cols } = this.matrix;
    this.canvas.size(cols * this.geometry.cell, rows * this.geometry.height, this.ratio);
    this.services.painter.touch(this);
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (!this.canvas.approach(near)) return;
    if (near) this.size();
    else {
      if (this.services.cursors.pointed?.view === this) this.services.unpoint();
      this.heatmap.clear();
    }
  }

  paint() {
    const { geometry, matrix, canvas, ratio, xs, ys } = this;
    const { appearance } = this.services;
    const { ctx } = canvas;
    const values = matrix.plane(appearance.plane);
    if (!ctx || !geometry || !values) return false;
    matrix.rescale(appearance.ownScales, appearance.plane);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    /** @type {Surface} */
    const surface = {
      ctx,
      theme: appearance.theme,
      geometry,
      ratio,
      xs,
      ys,
      dx: 0,
      dy: 0,
      inSight: [0, matrix.rows, 0, matrix.cols],
    };
    this.heatmap.paint(surface, matrix, values, this.services.strengths(matrix));
    paintChanged(surface, matrix);
    return true;
  }

  /** Draws the frame at the window's position, and lines from it to the window below. */
  showFrame() {
    const { path, high, wide } = this.whole;
    const now = this.services.viewports.on(path);
    if (!this.geometry || !now) return;
    const { cell, height, full, label } = this.geometry;
    const { rows, cols } = this.window.matrix;
    const x = (now.column / wide) * cell;
    const width = Math.max(5, (cols / wide) * cell);
    Object.assign(this.frame.style, {
      transform: `translate(${x}px, ${(now.row / high) * height}px)`,
      width: `${width}px`,
      height: `${Math.max(5, (rows / high) * height)}px`,
    });
    const across = Math.max(this.matrix.cols * cell, full);
    this.cone = { across, path: `M${x} 0H${x + width}L${full} ${LENS}H${label}Z` };
    this.showCone();
  }

  // -- pointer ------------------------------------------------------------------------------------

  /** @param {number} clientX @param {number} clientY */
  cellAt(clientX, clientY) {
    if (!this.geometry) return null;
    const box = this.sheet.getBoundingClientRect();
    const i = Math.floor((clientY - box.top) / this.geometry.height);
    const j = Math.floor((clientX - box.left) / this.geometry.cell);
    return i >= 0 && j >= 0 && i < this.matrix.rows && j < this.matrix.cols ? { i, j } : null;
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (event.button) return;
    this.dragging = true;
    this.sheet.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.moveTo(event);
  }

  /** Centers the window at the pointer. @param {PointerEvent} event */
  moveTo(event) {
    if (!this.geometry) return;
    const box = this.sheet.getBoundingClientRect();
    const { path, high, wide } = this.whole;
    const { rows, cols } = this.window.matrix;
    const i = ((event.clientY - box.top) / this.geometry.height) * high;
    const j = ((event.clientX - box.left) / this.geometry.cell) * wide;
    this.services.viewports.request(path, Math.round(i - rows / 2), Math.round(j - cols / 2));
  }

  /** @param {number} i @param {number} j @param {number} [i2] @param {number} [j2] */
  boxOf(i, j, i2 = i, j2 = j) {
    const { xs, ys, ratio } = this;
    return {
      x: xs[j] / ratio,
      y: ys[i] / ratio,
      width: (xs[j2 + 1] - xs[j]) / ratio,
      height: (ys[i2 + 1] - ys[i]) / ratio,
    };
  }

  /** Null: a dot is not a single cell, so it cannot be selected. */
  origin() {
    return null;
  }

  sentence() {
    return this.matrix.name;
  }

  topOf() {
    return this.sheet.getBoundingClientRect().y;
  }

  remove() {
    this.approach(false);
    this.services.painter.remove(this.matrix, this);
    this.el.remove();
  }
}

/** The edges of `count` cells. @param {number} count @param {number} step */
const edges = (count, step) =>
  Int32Array.from({ length: count + 1 }, (_, k) => Math.round(k * step));

/**
 * Describes which cells a dot represents.
 * @param {MatrixEntry} entry of the overview @param {number} i @param {number} j
 */
export function dotWords({ block = [1, 1], whole = [1, 1], letters = ["", ""] }, i, j) {
  /** @param {0 | 1} at @param {number} k */
  const words = (at, k) => {
    const first = k * block[at];
    const last = Math.min(first + block[at], whole[at]) - 1;
    const what = at ? "column" : "row";
    return first === last
      ? `${what} ${letters[at]}${first}`
      : `${what}s ${letters[at]}${first}–${letters[at]}${last}`;
  };
  return `${words(0, i)}, ${words(1, j)}`;
}
