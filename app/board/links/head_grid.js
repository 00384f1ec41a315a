/** Thumbnails of all heads of one kind of attention, a row per layer; a press shows one large. */

import { html } from "../../components/shared/lit-html.js";
import { classes, drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";
import { HEAD_COLORS, mix, pixel } from "../paint/color.js";
import { contextOf } from "../paint/near_canvas.js";
import { silencedHeads } from "../paint/silence_badge.js";
import { headVariable } from "./head_toggles.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {AttentionFocus, ThumbsItem} from "../data/types.js"
 * @import {Theme} from "../paint/color.js"
 * @import {PictureView} from "../paint/view.js"
 * @import {LinkServices} from "./link_board.js"
 */

const SIZE = 84;
const MAX_CELL = 22;
const BUTTON_WIDTH = 116;
const SHADES = 64;

/**
 * @typedef {object} Thumb
 * @property {Matrix} matrix
 * @property {string} scope
 * @property {number} head
 * @property {ImageData | null} image one pixel per cell
 */

/** @implements {PictureView} */
export class HeadGrid {
  /**
   * @param {Matrix[]} matrices weights, layer by layer, head by head
   * @param {LinkServices} services @param {ThumbsItem} item
   */
  constructor(matrices, { appearance, painter, send, store, showLinks }, item) {
    this.kind = /** @type {const} */ ("picture");
    this.matrices = matrices;
    this.appearance = appearance;
    this.painter = painter;
    this.send = send;
    this.store = store;
    this.showLinks = showLinks;
    this.near = false;
    this.repaint = true;
    this.isRequested = false;
    this.focus = /** @type {AttentionFocus | undefined} */ (undefined);
    this.available = Number.POSITIVE_INFINITY; // CSS px
    /** @type {Thumb[]} */
    this.thumbs = matrices.map((matrix, k) => ({
      ...{ matrix, scope: item.scopes[Math.floor(k / item.heads)], head: k % item.heads },
      image: null,
    }));
    const { node, show } = drawn(() => this.template(item));
    this.el = node;
    this.draw = show;
    for (const matrix of matrices) painter.add(matrix, this);
  }

  /** @param {ThumbsItem} item */
  template({ label, place, heads }) {
    let columns = heads;
    while (columns > 1 && columns * BUTTON_WIDTH > this.available) columns = Math.ceil(columns / 2);
    return html`<div class="thumbs" role="group" aria-label=${label}>
      <p class="thumbs-title">${label}<small
        >${inUnits("across: the word looked at; down: the word that looks")}</small></p>
      <div class="lines" style="--columns: ${columns}"
        >${this.thumbs.map((thumb) => this.button(thumb, place))}</div>
    </div>`;
  }

  /** @param {Thumb} thumb @param {string} place names its kind */
  button({ matrix: { rows, cols }, scope, head }, place) {
    const press = () => {
      this.isRequested = true;
      this.send({ type: "focus", scope, head });
    };
    const isShown = scope === this.focus?.scope;
    const isSilent = silencedHeads(this.store, scope).has(head);
    const cell = Math.max(1, Math.min(MAX_CELL, Math.floor(SIZE / Math.max(rows, cols))));
    return html`<button type="button" data-scope=${scope} data-head=${head}
      class=${classes("thumb", isShown && "shown", isSilent && "silenced")}
      title=${isSilent ? "This head is silenced" : ""} style="--head: ${headVariable(head)}"
      aria-pressed=${isShown && head === this.focus?.head} @click=${press}><canvas
      aria-hidden="true" style="width: ${cols * cell}px; height: ${rows * cell}px"></canvas
      ><span>${place} ${Number(scope.split(".")[1]) + 1} · head ${head + 1}</span></button>`;
  }

  /** @param {AttentionFocus} [focus] */
  describe(focus) {
    this.focus = focus;
    this.draw();
    if (this.isRequested) requestAnimationFrame(this.showLinks);
    this.isRequested = false;
  }

  /** @param {number} available */
  place(available) {
    this.available = available;
    this.draw();
    this.painter.touch(this);
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (near) this.painter.touch(this);
  }

  paint() {
    if (!this.near) return false;
    for (const [k, canvas] of this.el.querySelectorAll("canvas").entries())
      paintThumb(canvas, this.thumbs[k], this.appearance.theme);
    return true;
  }

  remove() {
    for (const matrix of this.matrices) this.painter.remove(matrix, this);
  }
}

/**
 * Paints one pixel per cell; the browser scales the canvas up without smoothing.
 * @param {HTMLCanvasElement} canvas @param {Thumb} thumb @param {Theme} theme
 */
function paintThumb(canvas, thumb, theme) {
  const { matrix, head } = thumb;
  const { rows, cols, stated: values } = matrix;
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

/** Shades from 0 to the head's color, as pixels. @param {Theme} theme @param {number} head */
function headShades(theme, head) {
  const at = head % HEAD_COLORS;
  theme.headShades[at] ??= Uint32Array.from({ length: SHADES + 1 }, (_, k) =>
    pixel(mix(theme.zeroRgb, theme.headRgb[at], k / SHADES)),
  );
  return theme.headShades[at];
}
