/**
 * The time budget for painting links: thousands of links may take longer than a frame. Links that
 * exceed the budget are painted in the next frame. While the camera moves, link images are scaled.
 */

/**
 * @import {Painter} from "../paint/painter.js"
 * @import {PictureView} from "../paint/view.js"
 */

const MOST = 8; // ms per frame
const RESTS = 120; // ms after its last move until the camera counts as at rest

export class PaintBudget {
  /** @param {Painter} painter counts the frames */
  constructor(painter) {
    this.painter = painter;
    this.turn = -1;
    this.spent = 0; // ms, in this frame
    this.moved = -RESTS; // time of the camera's last move, ms
    this.late = /** @type {Set<PictureView>} */ (new Set()); // links whose painting is out of date
  }

  get isLeft() {
    const { turn } = this.painter;
    if (this.turn !== turn) {
      this.turn = turn;
      this.spent = 0;
    }
    return this.spent < MOST;
  }

  /** Whether there is time to repaint the same links in another resolution. */
  get isLeftToSharpen() {
    return this.isLeft && performance.now() - this.moved >= RESTS;
  }

  /** Records a move of the camera. */
  moves() {
    this.moved = performance.now();
  }

  /** @param {number} ms */
  spend(ms) {
    this.spent += ms;
  }

  /** Paints the postponed links in the next frame. */
  paintLate() {
    for (const links of this.late) this.painter.touch(links);
    this.late.clear();
  }
}
