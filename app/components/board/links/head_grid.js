/**
 * Thumbnails of all heads of one kind of attention, a row for each layer; one head is shown large.
 */

import { make } from "../../shared/dom.js";
import { HEAD_COLORS, mix, pixel } from "../paint/color.js";
import { contextOf } from "../paint/near_canvas.js";
import { silencedHeads } from "../paint/silence_badge.js";
import { headVariable } from "./head_toggles.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {AttentionFocus, Send, ThumbsItem} from "../data/types.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Appearance} from "../paint/appearance.js"
 * @import {Theme} from "../paint/color.js"
 * @import {Painter} from "../paint/painter.js"
 * @import {PictureView} from "../paint/view.js"
 */

const SIZE = 84;
const MAX_CELL = 22;
const BUTTON_WIDTH = 116;
const SHADES = 64;

/**
 * @typedef {object} GridOfHeadsServices
 * @property {Appearance} appearance
 * @property {Painter} painter
 * @property {MatrixStore} store
 * @property {Send} send
 * @property {() => void} showLinks scrolls to the large picture
 *
 * @typedef {object} Thumb
 * @property {HTMLButtonElement} button
 * @property {HTMLCanvasElement} canvas
 * @property {Matrix} matrix
 * @property {string} scope
 * @property {number} head
 * @property {ImageData | null} image one pixel per cell
 */

/** @implements {PictureView} */
export class HeadGrid {
  /**
   * @param {Matrix[]} matrices weights, layer by layer, head by head
   * @param {GridOfHeadsServices} services
   * @param {ThumbsItem} item
   */
  constructor(matrices, { appearance, painter, send, store, showLinks }, item) {
    this.kind = /** @type {const} */ ("picture");
    this.matrices = matrices;
    this.appearance = appearance;
    this.painter = painter;
    this.send = send;
    this.store = store;
    this.showLinks = showLinks;
    this.heads = item.heads;
    this.near = false;
    this.repaint = true;
    this.isRequested = false;
    this.thumbs = matrices.map((matrix, k) => this.thumb(matrix, item, k));
    this.lines = make("div", { class: "lines" }, ...this.thumbs.map(({ button }) => button));
    this.el = make(
      "div",
      { class: "thumbs", role: "group", "aria-label": item.label },
      make("p", { class: "thumbs-title" }, item.label, make("small", {}, "→ looked at, ↓ looks")),
      this.lines,
    );
    for (const matrix of matrices) painter.add(matrix, this);
  }

  /** @param {Matrix} matrix @param {ThumbsItem} item @param {number} k @returns {Thumb} */
  thumb(matrix, item, k) {
    const scope = item.scopes[Math.floor(k / item.heads)];
    const head = k % item.heads;
    const layer = Number(scope.split(".")[1]) + 1;
    const canvas = make("canvas", { "aria-hidden": "true" });
    const button = make(
      "button",
      {
        class: "thumb",
        type: "button",
        "data-scope": scope,
        "data-head": head,
        onclick: () => {
          this.isRequested = true;
          this.send({ type: "focus", scope, head });
        },
      },
      canvas,
      make("span", {}, `${item.stack} ${layer} · head ${head + 1}`),
    );
    button.style.setProperty("--head", headVariable(head));
    return { button, canvas, matrix, scope, head, image: null };
  }

  /** @param {AttentionFocus} [focus] */
  describe(focus) {
    for (const { button, scope, head } of this.thumbs) {
      const isShown = scope === focus?.scope;
      button.classList.toggle("shown", isShown);
      button.setAttribute("aria-pressed", String(isShown && head === focus?.head));
      const isSilent = silencedHeads(this.store, scope).has(head);
      button.classList.toggle("silenced", isSilent);
      button.title = isSilent ? "This head is silenced" : "";
    }
    if (this.isRequested) requestAnimationFrame(this.showLinks);
    this.isRequested = false;
  }

  /** @param {number} available */
  place(available) {
    let columns = this.heads;
    while (columns > 1 && columns * BUTTON_WIDTH > available) columns = Math.ceil(columns / 2);
    this.lines.style.setProperty("--columns", String(columns));
    for (const { canvas, matrix } of this.thumbs) {
      const { rows, cols } = matrix;
      const cell = Math.max(1, Math.min(MAX_CELL, Math.floor(SIZE / Math.max(rows, cols))));
      canvas.style.width = `${cols * cell}px`;
      canvas.style.height = `${rows * cell}px`;
    }
    this.painter.touch(this);
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (near) this.painter.touch(this);
  }

  paint() {
    if (!this.near) return false;
    for (const thumb of this.thumbs) paintThumb(thumb, this.appearance.theme);
    return true;
  }

  remove() {
    for (const matrix of this.matrices) this.painter.remove(matrix, this);
  }
}

/**
 * Paints one pixel per cell; the browser scales it up without smoothing.
 * @param {Thumb} thumb
 * @param {Theme} theme
 */
function paintThumb(thumb, theme) {
  const { canvas, matrix, head } = thumb;
  const { rows, cols, values } = matrix;
  if (!values) return;
  const ctx = contextOf(canvas);
  if (canvas.width !== cols || canvas.height !== rows || !thumb.image) {
    canvas.width = cols;
    canvas.height = rows;
    thumb.image = ctx.createImageData(cols, rows);
  }
  const shades = headShades(theme, head);
  const pixels = new Uint32Array(thumb.image.data.buffer);
  for (let k = 0; k < pixels.length; k++)
    pixels[k] = shades[Math.min(SHADES, Math.round(Math.sqrt(values[k]) * SHADES))];
  ctx.putImageData(thumb.image, 0, 0);
}

/**
 * Shades from transparent to the head's color, as pixels.
 * @param {Theme} theme @param {number} head
 */
function headShades(theme, head) {
  const at = head % HEAD_COLORS;
  theme.headShades[at] ??= Uint32Array.from({ length: SHADES + 1 }, (_, k) =>
    pixel(mix(theme.zeroRgb, theme.headRgb[at], k / SHADES)),
  );
  return theme.headShades[at];
}
