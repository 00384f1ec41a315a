/** Requests a larger or smaller attention weight when a link is dragged up or down. */

/**
 * @import {Link} from "./link_curves.js"
 */

const FULL_PX = 120; // px of a drag that changes the weight from 0 to 1
const DRAGGED_PX = 4; // px after which a press is a drag
const LEAST = 0.01; // the least weight that can be requested
const MOST = 0.99;

/**
 * @param {number} weight @returns {number} the nearest weight that can be requested, in hundredths
 */
export const askable = (weight) => Math.round(100 * Math.min(MOST, Math.max(LEAST, weight))) / 100;

export class LinkPull {
  /**
   * @param {HTMLElement} plot the element that shows the links
   * @param {(event: PointerEvent) => {link: Link, weight: number} | null} linkAt
   * @param {(link: Link, weight: number) => void} pull
   */
  constructor(plot, linkAt, pull) {
    this.linkAt = linkAt;
    this.pull = pull;
    this.taken = /** @type {{link: Link, weight: number, y: number} | null} */ (null);
    this.isDragged = false;
    this.asked = /** @type {number | null} */ (null);
    plot.addEventListener("pointerdown", (event) => this.take(event));
    plot.addEventListener("pointermove", (event) => this.drag(event, plot));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]))
      plot.addEventListener(name, () => this.leave());
  }

  /** The link being dragged. */
  get link() {
    return this.isDragged && this.taken ? this.taken.link : null;
  }

  /** @param {PointerEvent} event ignored for touch, which scrolls; a slider is below */
  take(event) {
    this.isDragged = false;
    if (event.button || !event.isPrimary || event.pointerType === "touch") return;
    const found = this.linkAt(event);
    this.taken = found && { ...found, y: event.clientY };
  }

  /** @param {PointerEvent} event @param {HTMLElement} plot */
  drag(event, plot) {
    if (!this.taken) return;
    const up = this.taken.y - event.clientY;
    if (!this.isDragged && Math.abs(up) < DRAGGED_PX) return;
    if (!this.isDragged) plot.setPointerCapture(event.pointerId);
    this.isDragged = true;
    const asked = askable(this.taken.weight + up / FULL_PX);
    if (asked === this.asked) return;
    this.asked = asked;
    this.pull(this.taken.link, asked);
  }

  leave() {
    this.taken = this.asked = null;
  }
}
