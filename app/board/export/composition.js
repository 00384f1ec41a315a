/**
 * Composes a video frame or a still: the sentence, the visible part of the model's picture, and the
 * texts below the picture. Components mark elements for the frame by `data-recorded`, with the
 * value `above` or `below`.
 */

import { Looks, paintElement } from "./dom_painter.js";

const MOST = 1920; // largest number of pixels of the longer side of a video
const MOST_OF_STILL = 8000; // the same for a still image
/** Pixels per CSS px of a still, which may be printed. */
const SHARP = 2;
const GAP = 10; // CSS px above and below the elements outside the picture
const MARGIN = 16;

export class Composition {
  /** @param {HTMLElement} picture @param {boolean} [isStill] whether a still, not a video */
  constructor(picture, isStill = false) {
    this.picture = picture;
    this.isStill = isStill;
    this.looks = new Looks();
    this.canvas = document.createElement("canvas");
    const ctx = this.canvas.getContext("2d");
    if (!ctx) throw new Error("This browser has no canvas to draw on.");
    this.ctx = ctx;
    /** Elements outside the picture; the space for them stays the same during a recording. */
    this.above = marked("above");
    this.below = marked("below");
    const box = picture.getBoundingClientRect();
    this.top = Math.ceil(roomOf(this.above));
    this.bottom = roomOf(this.below);
    const beside = edgesOf(this.above);
    this.width = Math.max(box.width, beside ? beside.right - beside.left + 2 * MARGIN : 0);
    this.left = (this.width - box.width) / 2;
    this.height = this.top + box.height + this.bottom;
    const longer = Math.max(this.width, this.height);
    const wanted = isStill ? SHARP : Math.max(1, devicePixelRatio);
    this.ratio = Math.min(wanted, (isStill ? MOST_OF_STILL : MOST) / longer);
    // Video encoders require even numbers of pixels.
    this.canvas.width = 2 * Math.round((this.width * this.ratio) / 2);
    this.canvas.height = 2 * Math.round((this.height * this.ratio) / 2);
  }

  /** Paints the current view. */
  paint() {
    const { ctx, canvas, picture } = this;
    const style = getComputedStyle(document.documentElement);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = style.getPropertyValue("--paper");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    const box = picture.getBoundingClientRect();
    this.paintAt([picture], box, this.left, this.top);
    for (const [elements, y] of /** @type {const} */ ([
      [this.above, GAP],
      [marked("below"), this.top + box.height + GAP],
    ])) {
      const edges = edgesOf(elements);
      if (!edges) continue;
      const middle = (this.width - (edges.right - edges.left)) / 2;
      this.paintAt(elements, edges, Math.max(MARGIN, middle), y);
    }
  }

  /**
   * @param {Element[]} elements
   * @param {import("./dom_painter.js").Edges} edges edges of the elements, in the viewport
   * @param {number} x @param {number} y position of their upper left corner on the canvas
   */
  paintAt(elements, { left, top, right, bottom }, x, y) {
    const { ctx, looks, ratio, isStill } = this;
    const within = Math.min(right, left + this.width - x);
    ctx.save();
    // Keep positions in whole px, as on the screen.
    const [dx, dy] = [x - Math.round(left), y - Math.round(top)];
    ctx.setTransform(ratio, 0, 0, ratio, dx * ratio, dy * ratio);
    ctx.beginPath();
    ctx.rect(left, top, within - left, bottom - top);
    ctx.clip();
    const clip = { left, top, right: within, bottom };
    for (const element of elements) paintElement(element, { ctx, clip, looks, isStill });
    ctx.restore();
  }
}

/** The visible elements that components have marked. @param {"above" | "below"} where */
function marked(where) {
  const hosts = [...document.querySelectorAll("[data-region] > *")];
  const found = hosts.flatMap((host) => [
    ...(host.shadowRoot ?? host).querySelectorAll(`[data-recorded=${where}]`),
  ]);
  return found.filter((each) => each.getClientRects().length > 0);
}

/** @param {Element[]} elements */
function edgesOf(elements) {
  const boxes = elements.map((each) => each.getBoundingClientRect());
  if (!boxes.length) return null;
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

/** The height of elements outside the picture, including gaps. @param {Element[]} elements */
function roomOf(elements) {
  const edges = edgesOf(elements);
  return edges ? edges.bottom - edges.top + 2 * GAP : 0;
}
