/** What is silenced of each part of the whole picture: buttons over it that release it. */

import { make } from "../../shared/dom.js";
import { renewBadges, silenceBadge, silencedParts } from "../paint/silence_badge.js";
import { placeDown, scales } from "./camera.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Send} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Plan, Rect} from "./plan.js"
 */

const BELOW = 2; // CSS px under the lowest lane: no number of a lane is covered
const ABOVE = 4; // CSS px over the lower edge of an attention, whose lanes have links alone

/** @typedef {{el: HTMLElement, lanes: Rect, wide: number, over: number}} Placed of a part */

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
      return { el: make("div", { class: "silenced-part" }, ...badges), lanes, wide: 0, over };
    });
    const made = this.placed.map(({ el }) => el);
    renewBadges(this.el, made, this.home);
    this.isMeasured = false;
  }

  /** In the middle of the part, where no number is covered. @param {Camera} camera */
  place(camera) {
    if (!this.isMeasured) {
      for (const each of this.placed) each.wide = each.el.offsetWidth;
      this.isMeasured = true;
    }
    const { across } = scales(camera);
    for (const { el, lanes, wide, over } of this.placed) {
      const middle = (lanes.width * across - wide) / 2;
      const x = (lanes.x - camera.x) * across + (over || middle);
      const y = placeDown(camera, lanes.y + lanes.height);
      const top = over ? y - over - el.offsetHeight : y + BELOW;
      el.style.transform = `translate(${x.toFixed(1)}px, ${top.toFixed(1)}px)`;
    }
  }
}
