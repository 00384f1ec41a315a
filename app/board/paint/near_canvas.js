/** A canvas that exists only near the screen; thousands of canvases would fill the memory. */

import { make } from "../../components/shared/dom.js";
import { isDrawnByProcessor } from "./drawn_by.js";

export class NearCanvas {
  /** @param {HTMLElement} holder the canvas becomes its first child */
  constructor(holder) {
    this.holder = holder;
    this.canvas = /** @type {HTMLCanvasElement | null} */ (null);
    this.ctx = /** @type {CanvasRenderingContext2D | null} */ (null);
  }

  /**
   * Creates the canvas when its holder comes near the screen, and removes it otherwise.
   * @param {boolean} near @returns {boolean} whether the canvas was created or removed
   */
  approach(near) {
    if (near === (this.canvas !== null)) return false;
    if (near) {
      this.canvas = make("canvas", { "aria-hidden": "true" });
      this.ctx = contextOf(this.canvas);
      this.holder.prepend(this.canvas);
    } else if (this.canvas) {
      this.canvas.width = 0; // releases the memory immediately
      this.canvas.remove();
      this.canvas = this.ctx = null;
    }
    return true;
  }

  /**
   * @param {number} width CSS px @param {number} height CSS px
   * @param {number} ratio device pixels per CSS pixel
   */
  size(width, height, ratio) {
    if (!this.canvas) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }
}

/** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings] */
export function contextOf(canvas, settings = {}) {
  // This setting makes browsers draw the canvas by the CPU.
  const own = isDrawnByProcessor() ? { willReadFrequently: true } : {};
  const ctx = canvas.getContext("2d", { ...own, ...settings });
  if (!ctx) throw new Error("this browser has no canvas to draw on");
  return ctx;
}
