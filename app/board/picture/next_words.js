/**
 * The place for the next words, shown as large bars at the end of a row. The bars themselves belong
 * to the header and are moved here while there is room.
 */

import { make } from "../../components/shared/dom.js";
import { placeDown } from "./camera.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const LEAST = 150; // CSS px, smallest width
const AWAY = 8; // CSS px from the row at the left
const EDGE = 6; // CSS px to the edges of the view
/** Number of bars, and the height of each in CSS px: see bars.css. */
const BARS = 4;
const BAR = 24;

export class NextWords {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.row = 0;
    this.el = make("div", { class: "next-at-row", hidden: true });
  }

  /**
   * The element for the bars of a row; null if they have no room or another view is shown.
   * @param {number} row @returns {HTMLElement | null}
   */
  at(row) {
    this.row = row;
    this.place();
    const isSeen = document.documentElement.dataset.view === "picture";
    return isSeen && !this.el.hidden ? this.el : null;
  }

  /** The box of the bars' row in the view; null if it has no room. @returns {Box | null} */
  get rowBox() {
    const { viewpoint, row } = this;
    const next = viewpoint.plan?.nextWords;
    if (!next || !viewpoint.showsBars || viewpoint.el.hidden || viewpoint.isFilmed) return null;
    const { x, width } = viewpoint.boxOf(next);
    const y = placeDown(viewpoint.camera, next.y + row * LANE);
    const height = placeDown(viewpoint.camera, next.y + row * LANE + LANE - LANE_GAP) - y;
    const isIn = x >= 0 && x + width <= viewpoint.view.width && row * LANE < next.height;
    return isIn && width >= LEAST ? { x, y, width, height } : null;
  }

  /** Updates the place after painting. */
  place() {
    const { el, rowBox, viewpoint } = this;
    el.hidden = rowBox === null;
    if (!rowBox) {
      viewpoint.claims.set("next words", []);
      return;
    }
    const { x, y, width, height } = rowBox;
    el.style.width = `${(width - AWAY).toFixed(1)}px`;
    // The first bar is in the row and the others below it, or all as low as the view allows.
    const top = Math.min(y + (height - BAR) / 2, viewpoint.view.height - EDGE - BARS * BAR);
    const box = { x: x + AWAY, y: top, width: width - AWAY, height: BARS * BAR };
    viewpoint.claims.set("next words", [box]);
    el.style.transform = `translate(${(x + AWAY).toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}
