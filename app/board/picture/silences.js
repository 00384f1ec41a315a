/** Badges beside the parts of the picture: they name silenced parts; a press restores the part. */

import { make } from "../../components/shared/dom.js";
import { isOver } from "../labels/boxes.js";
import { renewBadges, silenceBadge, silencedParts } from "../paint/silence_badge.js";
import { boxIn } from "./camera.js";

/**
 * @import {Size} from "./camera.js"
 * @import {Placeable, Sight} from "./labels.js"
 * @import {WholeServices} from "./picture_grid.js"
 * @import {Plan, Rect} from "./plan.js"
 */

const AWAY = 3; // CSS px from the lanes, and from the edges of the view
const PRIORITY = 4.5; // below that of titles: badges rather cover numbers than titles

/**
 * @typedef {{el: HTMLElement, lanes: Rect, size: Size | null}} Placed the badges of a part, with
 *   their size in CSS px
 */

export class Silences {
  /**
   * @param {WholeServices} services
   * @param {HTMLElement} home gets the focus if the focused badge is removed
   */
  constructor({ store, send }, home) {
    this.store = store;
    this.home = home;
    this.send = send;
    this.el = make("div", { class: "silences" });
    this.placed = /** @type {Placed[]} */ ([]);
  }

  /** @param {Plan | null} plan */
  show(plan) {
    this.placed = (plan?.parts ?? []).flatMap(({ entry, lanes }) => {
      const parts = silencedParts(this.store, ({ path }) => path.startsWith(`${entry.id}.`));
      if (!parts.length) return [];
      const badges = parts.map((part) =>
        silenceBadge(part, this.send, part.label === "all" ? "" : part.label),
      );
      return { el: make("div", { class: "silenced-part" }, ...badges), lanes, size: null };
    });
    const made = this.placed.map(({ el }) => el);
    renewBadges(this.el, made, this.home);
  }

  /**
   * Places a badge below the rows of its part, above them, over the last rows, or beside them. A
   * badge is visible while any of its part is in sight.
   * @param {Sight} sight @returns {Placeable[]}
   */
  labels({ camera, view, left, top }) {
    return this.placed.map((placed, k) => {
      const { el, lanes } = placed;
      placed.size ??= { width: el.offsetWidth, height: el.offsetHeight };
      const { width, height } = placed.size;
      const rows = boxIn(lanes, camera);
      const isSeen = isOver(rows, { x: 0, y: 0, ...view });
      const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
        ...{ x: isSeen ? between(left + AWAY, x, view.width - width - AWAY) : x, width },
        ...{ y: isSeen ? between(top + AWAY, y, view.height - height - AWAY) : y, height },
      });
      const middle = rows.x + (rows.width - width) / 2;
      const end = rows.x + rows.width - width;
      const [above, below] = [rows.y - height - AWAY, rows.y + rows.height + AWAY];
      const heights = [below, above, below - height - 2 * AWAY];
      const aside = [rows.x - width - AWAY, rows.x + rows.width + AWAY];
      const across = [middle, rows.x, end, ...aside];
      const places = heights.flatMap((y) => across.map((x) => at(x, y)));
      return {
        ...{ key: `silence ${k}`, places, priority: PRIORITY, mayCover: true },
        show: (found = 0) => {
          const { x, y } = places[found];
          el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        },
      };
    });
  }
}

/** @param {number} least @param {number} wanted @param {number} most */
const between = (least, wanted, most) => Math.max(least, Math.min(wanted, most));
