/** A card that lies over the picture: what is read there is placed beside it, and not under it. */

/**
 * @import {Box} from "../paint/view.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

export class CardOver {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.card = /** @type {HTMLElement | null} */ (null);
  }

  /** The card has come, gone, or another size. @param {HTMLElement} card */
  take(card) {
    this.card = card;
    this.claim();
    this.viewpoint.changed();
  }

  /** The card or the picture lies elsewhere. */
  claim() {
    const { card, viewpoint } = this;
    const isOver = card !== null && getComputedStyle(card).position === "fixed";
    const box = isOver ? card.getBoundingClientRect() : null;
    const home = viewpoint.el.getBoundingClientRect();
    viewpoint.claims.set("card", box?.width ? [within(box, home)] : []);
  }
}

/** @param {Box} box @param {{x: number, y: number}} home @returns {Box} */
const within = ({ x, y, width, height }, home) => ({ x: x - home.x, y: y - home.y, width, height });
