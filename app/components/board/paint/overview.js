/**
 * A large matrix as a picture, over the window on it: one dot for a block of cells, the one of largest magnitude. A frame
 * shows where the window is; clicking or dragging moves it. For the keyboard the window itself scrolls.
 */

import { make } from "../../shared/dom.js";
import { paintPicture } from "./pixel_heatmap.js";

const LARGEST_DOT = 10,
  TALLEST_OVERVIEW = 150,
  LENS = 16;

export class Overview {
  /** @param {MatrixView} view the window @param {Matrix} matrix its overview */
  constructor(view, matrix) {
    this.view = view;
    this.board = view.board;
    this.matrix = matrix;
    this.isOverview = true;
    this.near = false;
    this.repaint = true;
    this.el = make("div", { class: "overview" });
    this.el.setAttribute("role", "img");
    this.sheet = make("div", { class: "dots" });
    this.frame = make("div", { class: "frame" });
    this.sheet.append(this.frame);
    this.note = make("p", { class: "overview-note" });
    this.lens = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.lens.setAttribute("class", "lens");
    this.lens.setAttribute("aria-hidden", "true");
    this.cone = document.createElementNS("http://www.w3.org/2000/svg", "path");
    this.lens.append(this.cone);
    this.el.append(this.note, this.sheet, this.lens);
    this.grid = this.el; // what the pointer is on, as with the grid of a window
    this.sheet.addEventListener("pointerdown", (event) => this.pressed(event));
    this.sheet.addEventListener("pointermove", (event) => {
      if (this.dragging) this.moveTo(event);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      this.sheet.addEventListener(name, () => {
        this.dragging = false;
      });
    matrix.views.add(this);
  }

  get stage() {
    return this.view.stage;
  }

  /** @param {Matrix} matrix */
  adopt(matrix) {
    if (matrix === this.matrix) return;
    this.matrix.views.delete(this);
    this.matrix = matrix;
    matrix.views.add(this);
    this.geometry = undefined;
  }

  describe() {
    const {
      block: [high, wide],
      whole,
    } = this.matrix.entry;
    const isBlock = high * wide > 1;
    const each = isBlock
      ? `Each dot stands for ${high} × ${wide} numbers: the one of largest magnitude.`
      : "Each dot is one number.";
    this.note.textContent = isBlock
      ? `each dot: the largest of ${high} × ${wide}`
      : "each dot: one number";
    this.sheet.title = `${each} Click or drag to move the window below.`;
    this.el.setAttribute(
      "aria-label",
      `${this.matrix.name}, overview of ${whole[0]} × ${whole[1]} numbers. ${each}`,
    );
    this.showFrame();
  }

  /** @param {Geometry} window of the window below */
  place({ full, label }) {
    const { rows, cols } = this.matrix,
      ratio = devicePixelRatio;
    const cell = Math.min(LARGEST_DOT, full / cols);
    const height = Math.max(
      rows === 1 ? 14 : 2,
      Math.min(LARGEST_DOT, Math.floor(TALLEST_OVERVIEW / rows)),
    );
    this.geometry = { mode: "picture", cell, height, window: full, label };
    this.ratio = ratio;
    const edges = (count, step) =>
      Int32Array.from({ length: count + 1 }, (_, k) => Math.round(k * step * ratio));
    this.xs = edges(cols, cell);
    this.ys = edges(rows, height);
    this.dx = this.dy = 0;
    this.sheet.style.width = `${cols * cell}px`;
    this.sheet.style.height = `${rows * height}px`;
    if (this.canvas) this.size();
    this.showFrame();
  }

  size() {
    this.canvas.width = this.xs.at(-1);
    this.canvas.height = this.ys.at(-1);
    this.canvas.style.width = this.sheet.style.width;
    this.canvas.style.height = this.sheet.style.height;
    this.board.touch(this);
  }

  approach(near) {
    this.near = near;
    if (near && !this.canvas) {
      this.canvas = make("canvas");
      this.ctx = this.canvas.getContext("2d");
      this.sheet.prepend(this.canvas);
      if (this.geometry) this.size();
    } else if (!near && this.canvas) {
      if (this.board.pointed?.view === this) this.board.grids.point(null, null);
      this.canvas.width = 0;
      this.canvas.remove();
      this.canvas = this.ctx = this.small = this.image = null;
    }
  }

  inSight() {
    return [0, this.matrix.rows, 0, this.matrix.cols];
  }

  paint() {
    if (!this.canvas || !this.geometry || !this.matrix.plane(this.board.view.plane)) return false;
    this.theme = this.board.theme;
    this.matrix.rescale(this.board.ownScales, this.board.view.plane);
    this.ctx.clearRect(0, 0, this.canvas.width, this.canvas.height);
    paintPicture(this);
    this.paintByHand();
    return true;
  }

  /** Dots with a number in them that was edited or overridden stand out, however small they are. */
  paintByHand() {
    const {
      ctx,
      xs,
      ys,
      theme,
      matrix: { flags, rows, cols },
      ratio,
    } = this;
    if (!flags) return;
    for (let k = 0; k < rows * cols; k++) {
      if (!(flags[k] & 6)) continue;
      const i = Math.floor(k / cols),
        j = k % cols,
        side = 4 * ratio;
      ctx.fillStyle = flags[k] & 4 ? theme.operand : theme.accent;
      ctx.fillRect((xs[j] + xs[j + 1] - side) / 2, (ys[i] + ys[i + 1] - side) / 2, side, side);
    }
  }

  /** Where the window is, on the picture; and the lines that widen from there to the window. */
  showFrame() {
    if (!this.geometry || !this.board.windows.on(this.matrix.entry.origin[0])) return;
    const {
        matrix: {
          entry: {
            block: [high, wide],
          },
        },
        geometry: { cell, height, window, label },
      } = this,
      { rows, cols } = this.view.matrix;
    const { row, column } = this.board.windows.place(this.matrix.entry.origin[0]);
    const x = (column / wide) * cell,
      width = Math.max(5, (cols / wide) * cell),
      tall = Math.max(5, (rows / high) * height);
    Object.assign(this.frame.style, {
      transform: `translate(${x}px, ${(row / high) * height}px)`,
      width: `${width}px`,
      height: `${tall}px`,
    });
    const across = Math.max(this.matrix.cols * cell, window);
    this.lens.setAttribute("viewBox", `0 0 ${across} ${LENS}`);
    Object.assign(this.lens.style, { width: `${across}px`, height: `${LENS}px` });
    this.cone.setAttribute("d", `M${x} 0H${x + width}L${window} ${LENS}H${label}Z`);
  }

  // -- pointer -------------------------------------------------------------------------------------------------------

  cellAt(clientX, clientY) {
    if (!this.geometry) return null;
    const box = this.sheet.getBoundingClientRect(),
      { cell, height } = this.geometry;
    const i = Math.floor((clientY - box.top) / height),
      j = Math.floor((clientX - box.left) / cell);
    return i >= 0 && j >= 0 && i < this.matrix.rows && j < this.matrix.cols ? { i, j } : null;
  }

  pressed(event) {
    if (event.button) return;
    this.dragging = true;
    this.sheet.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.moveTo(event);
  }

  /** The window's middle goes where the pointer is. */
  moveTo(event) {
    const box = this.sheet.getBoundingClientRect(),
      {
        entry: {
          block: [high, wide],
          origin,
        },
      } = this.matrix,
      { rows, cols } = this.view.matrix;
    const i = ((event.clientY - box.top) / this.geometry.height) * high,
      j = ((event.clientX - box.left) / this.geometry.cell) * wide;
    this.board.windows.ask(origin[0], Math.round(i - rows / 2), Math.round(j - cols / 2));
  }

  boxOf(i, j, i2 = i, j2 = j) {
    const { xs, ys, ratio } = this;
    return {
      x: xs[j] / ratio,
      y: ys[i] / ratio,
      width: (xs[j2 + 1] - xs[j]) / ratio,
      height: (ys[i2 + 1] - ys[i]) / ratio,
    };
  }

  /** A dot is no one cell of the matrix. */
  origin() {
    return [];
  }

  mark() {}

  remove() {
    this.approach(false);
    this.matrix.views.delete(this);
    this.el.remove();
  }
}

/** What a dot of an overview stands for, in words. @param {object} entry of the overview */
export function dotWords({ block, whole, letters }, i, j) {
  const words = (at, k) => {
    const first = k * block[at],
      last = Math.min(first + block[at], whole[at]) - 1,
      what = at ? "column" : "row";
    return first === last
      ? `${what} ${letters[at]}${first}`
      : `${what}s ${letters[at]}${first}–${letters[at]}${last}`;
  };
  return `${words(0, i)}, ${words(1, j)}`;
}
