/**
 * The place for the next words of the followed row, shown as large bars over the strip of their
 * probabilities, where they cover nothing. The bars themselves belong to the header and are moved
 * here while there is room.
 */

import { make } from "../../components/shared/dom.js";
import { placeNear } from "../labels/near.js";

/**
 * @import {Point} from "../labels/boxes.js"
 * @import {NearPlace} from "../labels/near.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const WIDE = 1200; // CSS px of a window from which the bars are in the picture
/** CSS px of four bars, and of the words before them: see bars.css. */
const SIZE = { width: 190, height: 4 * 24 };
const WORDS = 64;
const ABOVE = 56; // CSS px from the strip to the bars: the headings of the strip are between them

export class NextWords {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.placed = /** @type {{place: NearPlace, at: Point} | null} */ (null);
    this.el = make("div", { class: "next-at-row", hidden: true });
    this.el.style.width = `${SIZE.width}px`;
  }

  /** The element for the bars; null if they have no room or another view is shown. */
  get home() {
    this.place();
    const isSeen = document.documentElement.dataset.view === "picture";
    return isSeen && !this.el.hidden ? this.el : null;
  }

  /** Updates the place after painting. */
  place() {
    const { el, viewpoint } = this;
    this.placed = this.find();
    el.hidden = !this.placed;
    const box = this.placed?.place.box;
    viewpoint.claims.set("next words", box ? [box] : []);
    if (box) el.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
  }

  /** The free place nearest to the strip, above its headings: the bars begin where it does. */
  find() {
    const { plan, view, claims, showsBars, isFilmed, el } = this.viewpoint;
    const isWanted = innerWidth >= WIDE && showsBars && !isFilmed && !el.hidden;
    if (!plan?.nextWords || !isWanted) return null;
    const { x, y } = this.viewpoint.boxOf(plan.nextWords);
    const at = { x: x - WORDS, y: y - ABOVE - SIZE.height };
    const near = { ringed: { at, radius: 0 }, isLined: false };
    const others = claims.without("next words", "caption", "hint");
    const place = placeNear([SIZE], near, view, others, this.placed);
    return place && { place, at };
  }
}
