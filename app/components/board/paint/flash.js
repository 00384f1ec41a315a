/** Lights up briefly what an edit changed, by how much it changed. */

import { prefersStillness } from "../../shared/motion.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Trail} from "../data/trail.js"
 * @import {Surface} from "./cells.js"
 * @import {Painter} from "./painter.js"
 */

/** ms between two paints of the fading flash; pauses leave time for the next edit. */
const PAUSE = 30;
const MOST = 0.8; // opacity over the cell that changed most
const LEAST = 0.02;

/**
 * @param {Surface} surface @param {Matrix} matrix @param {Trail} trail
 * @param {number} strength 0 … 1
 */
export function paintFlash({ ctx, theme, xs, ys, dx, dy, inSight }, matrix, trail, strength) {
  if (!matrix.before || !strength) return;
  const [top, bottom, left, right] = inSight;
  ctx.fillStyle = theme.accent;
  for (let i = top; i < bottom; i++)
    for (let j = left; j < right; j++) {
      const share = trail.share(matrix, i * matrix.cols + j) * strength * MOST;
      if (share < LEAST) continue;
      ctx.globalAlpha = share;
      ctx.fillRect(xs[j] - dx, ys[i] - dy, xs[j + 1] - xs[j] - 1, ys[i + 1] - ys[i] - 1);
    }
  ctx.globalAlpha = 1;
}

export class Flash {
  /** @param {MatrixStore} store @param {Trail} trail @param {Painter} painter */
  constructor(store, trail, painter) {
    this.store = store;
    this.trail = trail;
    this.painter = painter;
    this.strength = 0; // 0 … 1
    this.painted = 0; // time of its last paint, ms
    this.timer = 0;
  }

  /**
   * Called in display frames without an oscillation: schedules paints of what flashes.
   * @param {number} now ms
   */
  tick(now) {
    const { trail, painter } = this;
    if (trail.isOver) return;
    const wait = trail.flashesIn(now);
    clearTimeout(this.timer);
    if (wait) {
      // While a slider moves, nothing flashes yet.
      this.strength = 0;
      this.timer = setTimeout(() => painter.schedule(), wait);
      return;
    }
    painter.schedule();
    if (now - this.painted < PAUSE || !trail.isFlashing(now)) return;
    this.painted = now;
    this.strength = prefersStillness() ? 0 : trail.flashAt(now);
    for (const matrix of this.store.byIndex) if (matrix.before) painter.touchMatrix(matrix);
  }

  remove() {
    clearTimeout(this.timer);
  }
}
