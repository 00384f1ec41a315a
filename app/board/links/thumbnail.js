/**
 * A small picture of attention beside its matrix: keys on the left, queries on the right. Thickness
 * and opacity of a link show its weight. Several heads are drawn over one another.
 */

import { make } from "../../components/shared/dom.js";
import { LabelPen } from "../paint/axis_labels.js";
import { LABEL_FONT, widest } from "../paint/layout.js";
import { NearCanvas } from "../paint/near_canvas.js";
import { shiftOf } from "./curve.js";
import { LinkCurves } from "./link_curves.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {PictureView} from "../paint/view.js"
 * @import {LinkServices} from "./link_board.js"
 */

const STEP = 27;
const MIN_STEP = 5;
/** Widths in CSS px: of the words on one side, and of the links between the sides. */
const SIDE = { least: 40, most: 126 };
const LINKS = 152;
const MAX_HEIGHT = 380;
const LINE_HEIGHT = 12;

/** @implements {PictureView} */
export class Thumbnail {
  /** @param {Matrix[]} matrices weights of the heads @param {LinkServices} services */
  constructor(matrices, { appearance, painter, cursors }) {
    this.kind = /** @type {const} */ ("picture");
    this.matrices = matrices;
    this.appearance = appearance;
    this.painter = painter;
    this.cursors = cursors;
    this.near = false;
    this.repaint = true;
    this.width = this.height = this.step = this.left = this.right = 0;
    this.ratio = 1;
    this.shownHead = /** @type {number | "all"} */ ("all");
    this.curves = new LinkCurves();
    this.box = make("div", { class: "box" });
    this.canvas = new NearCanvas(this.box);
    const arrow = make("span", { class: "arrow" }, "→");
    const caption = make("figcaption", {}, "looked at ", arrow, " looks");
    this.el = make("figure", { class: "links" }, this.box, caption);
    for (const matrix of matrices) painter.add(matrix, this);
  }

  /** @param {number | "all"} head @param {number} heads */
  showHead(head, heads) {
    this.shownHead = heads > 1 ? head : "all";
  }

  /** @param {number} available */
  place(available) {
    const { rows, cols, entry } = this.matrices[0];
    const font = `${LABEL_FONT}px ${this.appearance.theme.fontText}`;
    const most = Math.min(SIDE.most, available / 3);
    /** @param {string[]} words */
    const side = (words) => Math.max(SIDE.least, widest(words, font, most - 12) + 12);
    this.left = side(entry.col_labels);
    this.right = side(entry.row_labels);
    this.width = Math.min(available, this.left + LINKS + this.right);
    const longest = Math.max(rows, cols);
    this.step = Math.max(MIN_STEP, Math.min(STEP, Math.floor(MAX_HEIGHT / longest)));
    this.height = longest * this.step + 6;
    this.box.style.width = `${this.width}px`;
    this.box.style.height = `${this.height}px`;
    this.size();
  }

  size() {
    if (!this.width) return;
    this.ratio = devicePixelRatio;
    this.canvas.size(this.width, this.height, this.ratio);
    this.painter.touch(this);
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (this.canvas.approach(near)) this.size();
  }

  paint() {
    const { ratio, width, height, step, left, right, canvas } = this;
    const { theme } = this.appearance;
    const { ctx } = canvas;
    if (!ctx || !width) return false;
    const { rows, cols, entry } = this.matrices[0];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const pen = new LabelPen(ctx, theme, 1);
    /** @param {number} k @param {number} n */
    const y = (k, n) => (height - n * step) / 2 + (k + 0.5) * step;
    const { pointed } = this.cursors;
    const lit = pointed && this.matrices.includes(pointed.view.matrix) ? pointed : null;
    const every = Math.ceil(LINE_HEIGHT / step);
    for (let i = 0; i < rows; i++) {
      if (i % every && lit?.i !== i) continue;
      pen.emphasize(lit?.i === i);
      const word = pen.measure(entry.row_labels[i], i, right - 10);
      pen.put(word, width - right + 8, y(i, rows));
    }
    for (let j = 0; j < cols; j++) {
      if (j % every && lit?.j !== j) continue;
      pen.emphasize(lit?.j === j);
      pen.right(entry.col_labels[j], j, left - 8, y(j, cols), left - 10);
    }
    const shown = this.matrices.flatMap(({ values, entry: { head } }) =>
      values && (this.shownHead === "all" || head === null || head === this.shownHead)
        ? { values, head: head ?? 0 }
        : [],
    );
    this.curves.paint(
      ctx,
      {
        layers: shown.map((each, k) => ({ ...each, shift: shiftOf(k, shown.length, step) })),
        rows,
        cols,
        a: width - right,
        b: left,
        height,
        step,
        yFrom: (i) => y(i, rows),
        yTo: (j) => y(j, cols),
        shown: (i) => !lit || lit.i === i,
        which: lit ? `query ${lit.i}` : "all",
      },
      theme,
    );
    return true;
  }

  remove() {
    this.approach(false);
    for (const matrix of this.matrices) this.painter.remove(matrix, this);
  }
}
