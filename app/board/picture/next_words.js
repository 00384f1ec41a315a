/**
 * The place for the large bars of the next words at the end of a row. The bars belong to the header
 * and are moved here while there is room.
 */

import { make } from "../../components/shared/dom.js";
import { placeDown } from "./camera.js";
import { LANE, LANE_GAP } from "./plan.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

/** CSS px of a view from which the next words are shown beside a row. */
export const WIDE = 880;
const LEAST = 150; // CSS px, smallest width
const AWAY = 8; // CSS px from the row at the left
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

  /**
   * The box of the bars; the first bar is in the row. Null if the box would leave the view, as
   * beside the last rows.
   * @returns {Box | null}
   */
  get box() {
    const { viewpoint, row } = this;
    const next = viewpoint.plan?.nextWords;
    if (!next || !viewpoint.showsBars || viewpoint.el.hidden || viewpoint.isFilmed) return null;
    const { x, width } = viewpoint.boxOf(next);
    const y = placeDown(viewpoint.camera, next.y + row * LANE);
    const height = placeDown(viewpoint.camera, next.y + row * LANE + LANE - LANE_GAP) - y;
    const top = y + (height - BAR) / 2;
    const isAcross = x >= 0 && x + width <= viewpoint.view.width && width >= LEAST;
    const isDown = top >= 0 && top + BARS * BAR <= viewpoint.view.height;
    const isIn = isAcross && isDown && row * LANE < next.height;
    // Cover the last of the covered rows completely.
    const pitch = placeDown(viewpoint.camera, next.y + (row + 1) * LANE) - y;
    const end = y + Math.ceil((top + BARS * BAR - y) / pitch) * pitch - (pitch - height);
    return isIn ? { x: x + AWAY, y: top, width: width - AWAY, height: end - top } : null;
  }

  /** The left end of the first bar, in the middle of its row; null without bars. */
  get first() {
    const { box } = this;
    return box && { x: box.x, y: box.y + BAR / 2 };
  }

  /** Updates the place after painting. */
  place() {
    const { el, box, viewpoint } = this;
    el.hidden = box === null;
    if (!box) {
      viewpoint.claims.set("next words", []);
      return;
    }
    el.style.width = `${box.width.toFixed(1)}px`;
    el.style.height = `${box.height.toFixed(1)}px`;
    viewpoint.claims.set("next words", [box]);
    el.style.transform = `translate(${box.x.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
  }
}
