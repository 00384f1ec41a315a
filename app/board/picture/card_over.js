/** A card over the picture: labels are placed beside it, not under it. */

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

  /** Updates after the card appeared, disappeared or changed its size. @param {HTMLElement} card */
  take(card) {
    this.card = card;
    this.claim();
    this.viewpoint.changed();
  }

  /** Claims the place of the card, after the card or the picture has moved. */
  claim() {
    const { card, viewpoint } = this;
    const isOver = card !== null && getComputedStyle(card).position === "fixed";
    const box = isOver ? card.getBoundingClientRect() : null;
    const home = viewpoint.el.getBoundingClientRect();
    viewpoint.claims.set("card", box?.width ? [within(box, home)] : []);
  }
}

/** @param {Box} box @param {{x: number, y: number}} home */
const within = ({ x, y, width, height }, home) => ({ x: x - home.x, y: y - home.y, width, height });
