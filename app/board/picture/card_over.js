/** A card over the picture: rows and labels are placed beside it, not under it. */

/** @import {Viewpoint} from "./viewpoint.js" */

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
    this.viewpoint.refit();
  }

  /** Claims the place of the card, after the card or the picture has moved. */
  claim() {
    if (this.card) this.viewpoint.claim("card", this.card, "fixed");
  }
}
