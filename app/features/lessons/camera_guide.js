/**
 * Shows the subject of a step: moves the camera of the picture or scrolls, and draws rings around
 * cells.
 */

import { prefersStillness } from "../../components/shared/motion.js";

/**
 * @typedef {[path: string, i: number, j: number, i2: number, j2: number]} Ringed
 * @typedef {{flight?: number, part?: string, cells?: Ringed[], unfolded?: string[],
 *   way?: string[]}} Look
 */

const TRIES = 60; // attempts, one every PAUSE ms, until the part is drawn
const PAUSE = 100;
const STAY = 1500; // ms at each part of a path
const SETTLING = 8; // attempts during which rows above may still change height
const TAKING_OVER = ["wheel", "touchmove", "pointerdown", "keydown"];

export class CameraGuide {
  constructor() {
    this.flight = 0;
    this.timer = 0;
    /** @type {Ringed | undefined} */
    this.first = undefined;
    this.unfolded = "[]"; // the parts that must be unfolded first, as JSON
  }

  /**
   * Shows the subject of a step. In a view of stages, scrolls to the first ringed cell, since a
   * stage may be taller than the window.
   * @param {Look} look
   */
  show({ flight = 0, part = "", cells = [], unfolded = [], way = [] }) {
    clearTimeout(this.timer);
    window.tinkerformer?.ring(cells);
    const isNew = flight !== this.flight;
    this.flight = flight;
    this.unfolded = JSON.stringify(unfolded);
    this.first = cells[0];
    if (!isNew) return;
    if (way.length) this.go(way);
    else if (part) this.near(part);
  }

  /** @param {string} part @param {() => void} [then] */
  near(part, then, tries = TRIES) {
    const board = window.tinkerformer;
    if (board && !board.look() && board.stages().some(({ id }) => id === part)) {
      if (this.toFirst()) this.stay();
      else board.goto(part);
      then?.();
      return;
    }
    const isDrawn = JSON.stringify(board?.look()?.unfolded) === this.unfolded;
    const isThere = isDrawn && board?.parts().some(({ id }) => id === part);
    if (isDrawn && part === "all") board?.near(null);
    else if (isThere) board?.near(part);
    else {
      if (tries) this.timer = setTimeout(() => this.near(part, then, tries - 1), PAUSE);
      return;
    }
    then?.();
  }

  /** Keeps the position while the page is being drawn, until the user scrolls. */
  stay() {
    let left = SETTLING;
    const calls = new AbortController();
    const hold = () => {
      if (calls.signal.aborted) return;
      left -= 1;
      this.toFirst();
      if (left) this.timer = setTimeout(hold, PAUSE);
      else calls.abort();
    };
    for (const type of TAKING_OVER)
      addEventListener(type, () => calls.abort(), { signal: calls.signal, passive: true });
    this.timer = setTimeout(hold, PAUSE);
  }

  /** Scrolls the first ringed cell into view; returns whether it is drawn. */
  toFirst() {
    const board = window.tinkerformer;
    if (!this.first || !board?.paths().includes(this.first[0])) return false;
    const [path, i, j] = this.first;
    board.rect(path, i, j);
    return true;
  }

  /** Visits the parts of a path in order. @param {string[]} way */
  go([part, ...rest]) {
    this.near(part, () => {
      if (rest.length)
        this.timer = setTimeout(() => this.go(rest), prefersStillness() ? 2 * STAY : STAY);
    });
  }

  leave() {
    clearTimeout(this.timer);
    window.tinkerformer?.ring([]);
  }
}
