/**
 * Time for links: thousands of them may take longer than a display frame has. Those for which there
 * is none come first in the next.
 */

/**
 * @import {Painter} from "../paint/painter.js"
 * @import {PictureView} from "../paint/view.js"
 */

const MOST = 8; // ms of a display frame

export class LinkTime {
  /** @param {Painter} painter that counts the display frames */
  constructor(painter) {
    this.painter = painter;
    this.turn = -1;
    this.spent = 0; // ms, in this display frame
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
