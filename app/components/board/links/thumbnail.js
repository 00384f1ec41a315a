/**
 * Attention as a small picture beside its matrix: on the left who listens, on the right to whom; a link is as thick and as
 * strong as the weight it stands for. Several heads lie over one another.
 */

import { make } from "../../shared/dom.js";
import { LabelPen } from "../paint/axis_labels.js";
import { Strands, shiftOf } from "./link_curves.js";

const LINK_STEP = 27,
  LINK_SIDE = 74,
  LINKS_WIDTH = 300,
  LINKS_TALLEST = 380;

export class Links {
  /** @param {Matrix[]} matrices weights of the heads @param {Board} board */
  constructor(matrices, board) {
    this.matrices = matrices;
    this.board = board;
    this.near = false;
    this.strands = new Strands();
    this.el = make("figure", { class: "links" });
    this.box = make("div", { class: "box" });
    const caption = make("figcaption");
    caption.append("who listens ", make("span", { class: "arrow" }, "→"), " to whom");
    this.el.append(this.box, caption);
    this.repaint = true;
    for (const matrix of matrices) matrix.views.add(this);
  }

  /** @param {number} room */
  place(room) {
    this.width = Math.min(room, LINKS_WIDTH);
    const { rows, cols } = this.matrices[0];
    this.step = Math.max(5, Math.min(LINK_STEP, Math.floor(LINKS_TALLEST / Math.max(rows, cols))));
    this.height = Math.max(rows, cols) * this.step + 6;
    this.box.style.width = `${this.width}px`;
    this.box.style.height = `${this.height}px`;
    if (this.canvas) this.size();
  }

  size() {
    this.ratio = devicePixelRatio;
    this.canvas.width = Math.round(this.width * this.ratio);
    this.canvas.height = Math.round(this.height * this.ratio);
    this.canvas.style.width = `${this.width}px`;
    this.board.touch(this);
  }

  approach(near) {
    this.near = near;
    if (near && !this.canvas) {
      this.canvas = make("canvas");
      this.canvas.setAttribute("aria-hidden", "true");
      this.ctx = this.canvas.getContext("2d");
      this.box.append(this.canvas);
      if (this.width) this.size();
    } else if (!near && this.canvas) {
      this.canvas.width = 0;
      this.canvas.remove();
      this.canvas = this.ctx = null;
    }
  }

  paint() {
    if (!this.canvas || !this.width) return false;
    const { ctx, ratio, width, height, step } = this,
      { theme } = this.board;
    const { row_labels: from, col_labels: to } = this.matrices[0].entry;
    const { rows, cols } = this.matrices[0];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const pen = new LabelPen(ctx, theme, 1);
    const y = (k, n) => (height - n * step) / 2 + (k + 0.5) * step;
    const { pointed } = this.board;
    const lit = pointed && this.matrices.includes(pointed.view.matrix) ? pointed : null;
    const every = Math.ceil(12 / step);
    for (let i = 0; i < rows; i++) {
      if (i % every && lit?.i !== i) continue;
      pen.emphasize(lit?.i === i);
      pen.right(from[i], i, LINK_SIDE - 8, y(i, rows), LINK_SIDE - 10);
    }
    for (let j = 0; j < cols; j++) {
      if (j % every && lit?.j !== j) continue;
      pen.emphasize(lit?.j === j);
      pen.put(pen.measure(to[j], j, LINK_SIDE - 10), width - LINK_SIDE + 8, y(j, cols));
    }
    const shown = this.matrices.filter((matrix) => matrix.values && !this.headHidden(matrix.entry));
    this.strands.paint(
      ctx,
      {
        layers: shown.map((m, k) => ({
          values: m.values,
          head: m.entry.head || 0,
          shift: shiftOf(k, shown.length, step),
        })),
        rows,
        cols,
        a: LINK_SIDE,
        b: width - LINK_SIDE,
        height,
        step,
        yFrom: (i) => y(i, rows),
        yTo: (j) => y(j, cols),
        shown: (i) => !lit || lit.i === i,
      },
      theme,
    );
    return true;
  }

  headHidden(entry) {
    const stage = this.stage;
    return (
      stage &&
      stage.spec.heads > 1 &&
      stage.head !== "all" &&
      entry.head !== null &&
      entry.head !== stage.head
    );
  }

  remove() {
    this.approach(false);
    for (const matrix of this.matrices) matrix.views.delete(this);
  }
}
