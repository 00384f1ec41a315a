/** What is silenced of each part of the whole picture: buttons over it that release it. */

import { make } from "../../shared/dom.js";
import { renewBadges, silenceBadge, silencedParts } from "../paint/silence_badge.js";
import { placeDown, scales } from "./camera.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Send} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Plan, Rect} from "./plan.js"
 */

const BELOW = 2; // CSS px under the lowest lane: no number of a lane is covered
const ABOVE = 4; // CSS px over the lower edge of an attention, whose lanes have links alone

/**
 * @typedef {{el: HTMLElement, lanes: Rect, size: Size, over: number}} Placed of a part, with its
 *   size in CSS px
 */

export class Silences {
  /**
   * @param {{store: MatrixStore, send: Send}} services
   * @param {HTMLElement} home what has the focus where a badge is gone
   */
  constructor({ store, send }, home) {
    this.store = store;
    this.home = home;
    this.send = send;
    this.el = make("div", { class: "silences" });
    this.placed = /** @type {Placed[]} */ ([]);
    this.isMeasured = true;
  }

  /** @param {Plan | null} plan */
  show(plan) {
    this.placed = (plan?.parts ?? []).flatMap(({ entry, lanes }) => {
      const parts = silencedParts(this.store, ({ path }) => path.startsWith(`${entry.id}.`));
      if (!parts.length) return [];
      const badges = parts.map((part) =>
        silenceBadge(part, this.send, part.label === "all" ? "" : part.label),
      );
      const over = entry.kind === "attention" || entry.kind === "cross" ? ABOVE : 0;
      const el = make("div", { class: "silenced-part" }, ...badges);
      return { el, lanes, size: { width: 0, height: 0 }, over };
    });
    const made = this.placed.map(({ el }) => el);
    renewBadges(this.el, made, this.home);
    this.isMeasured = false;
  }

  /**
   * In the middle of the part, where no number is covered.
   * @param {Camera} camera @returns {Box[]} where they are, CSS px of the view
   */
  place(camera) {
    if (!this.isMeasured)
      for (const each of this.placed)
        each.size = { width: each.el.offsetWidth, height: each.el.offsetHeight };
    this.isMeasured = true;
    const { across } = scales(camera);
    return this.placed.map(({ el, lanes, size, over }) => {
      const middle = (lanes.width * across - size.width) / 2;
      const x = (lanes.x - camera.x) * across + (over || middle);
      const bottom = placeDown(camera, lanes.y + lanes.height);
      const y = over ? bottom - over - size.height : bottom + BELOW;
      el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      return { x, y, ...size };
    });
  }
}
