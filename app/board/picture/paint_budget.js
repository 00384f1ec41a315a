/**
 * Time for links: thousands of them may take longer than a display frame has. Those for which there
 * is none come first in the next. While the camera moves, images of links are only stretched.
 */

/**
 * @import {Painter} from "../paint/painter.js"
 * @import {PictureView} from "../paint/view.js"
 */

const MOST = 8; // ms of a display frame
const RESTS = 120; // ms after the last move, when the camera is at rest

export class PaintBudget {
  /** @param {Painter} painter that counts the display frames */
  constructor(painter) {
    this.painter = painter;
    this.turn = -1;
    this.spent = 0; // ms, in this display frame
    this.moved = -RESTS; // when the camera did
    this.late = /** @type {Set<PictureView>} */ (new Set());
  }

  get isLeft() {
    const { turn } = this.painter;
    if (this.turn !== turn) {
      this.turn = turn;
      this.spent = 0;
    }
    return this.spent < MOST;
  }

  /** Whether there is time for the same links in another resolution. */
  get isLeftToSharpen() {
    return this.isLeft && performance.now() - this.moved >= RESTS;
  }

  /** The camera does. */
  moves() {
    this.moved = performance.now();
  }

  /** @param {number} ms */
  spend(ms) {
    this.spent += ms;
  }

  /** @param {PictureView} links are not painted as they are now */
  postpone(links) {
    this.late.add(links);
  }

  /** In the next display frame. */
  paintLate() {
    for (const links of this.late) this.painter.touch(links);
    this.late.clear();
  }

  /** Nothing that was late is there any more. */
  forget() {
    this.late.clear();
  }
}
