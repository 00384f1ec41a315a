/**
 * The caption of the picture: what the followed word looks at, and what the last change did. It is
 * placed beside the ribbons where nothing else is drawn, and hidden if no such place exists. It
 * reserves space for both, so that it stays when a change is described or withdrawn.
 */

import { make } from "../../components/shared/dom.js";
import { placeNear } from "../labels/near.js";
import { LastChange } from "./last_change.js";
import { LANE } from "./plan.js";
import { isReadBy, namedLinks, ThreadWords } from "./thread_words.js";

/**
 * @import {Lane, WholeEntry} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Point} from "../labels/boxes.js"
 * @import {Drawing} from "./drawing.js"
 * @import {NearPlace} from "../labels/near.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {Changed} from "./last_change.js"
 * @import {WholeServices} from "./picture_grid.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {"large" | "wide" | "medium" | "narrow"} Size
 * @typedef {{key: string, size: Size, place: NearPlace | null, at: Point, withThread: boolean}}
 *   Placed the place of the caption, whether it includes the text about the followed word, and the
 *   state (`key`) and the point (`at`) for which the place was found
 */

/**
 * In CSS px: the width of the caption, and the heights that the texts about the followed word and
 * about the change reserve.
 */
const SIZES = /** @type {const} */ ({
  large: { width: 372, thread: 160, change: 134 },
  wide: { width: 300, thread: 130, change: 110 },
  medium: { width: 258, thread: 120, change: 103 },
  narrow: { width: 152, thread: 106, change: 124 },
});
const ORDER = /** @type {Size[]} */ (["large", "wide", "medium", "narrow"]);
const NOWHERE = /** @type {Placed} */ ({
  ...{ key: "", size: "narrow", place: null, at: { x: 0, y: 0 }, withThread: true },
});
const BETWEEN = 14; // CSS px between the two texts
/** Largest distance from the ribbons in CSS px, and of a place under ribbons within a stack. */
const FAR = { across: 160, down: 240, under: 60 };
const SMALLER = 1000; // penalty of each smaller size, in CSS px of distance

export class Caption {
  /**
   * @param {Viewpoint} viewpoint @param {WholeServices} services
   * @param {(isSaid: boolean) => void} onSaid takes whether the caption describes the change
   */
  constructor(viewpoint, services, onSaid) {
    this.viewpoint = viewpoint;
    this.onSaid = onSaid;
    this.trains = services.trains;
    this.drawing = /** @type {Drawing | null} */ (null);
    this.change = new LastChange(services.send, services.isLocked);
    this.thread = new ThreadWords(services);
    this.heights = /** @type {Partial<Record<Size, number>>} */ ({}); // of the change's text
    this.placed = NOWHERE;
    const attributes = { class: "picture-caption", "data-part": "caption", hidden: true };
    const { change, thread } = this;
    this.el = make("div", { ...attributes, "data-unrecorded": "video" }, thread.el, change.el);
  }

  /** @param {Drawing | null} drawing @param {WholeEntry | null} entry */
  show(drawing, entry) {
    this.drawing = drawing;
    this.thread.entry = entry;
    this.placed = { ...this.placed, key: "" };
  }

  /** @param {Changed} changed */
  tell(changed) {
    this.change.tell(changed);
    this.renew();
  }

  /** Looks for a new place after the height of the text about the change has changed. */
  renew() {
    this.heights = {};
    this.placed = { ...this.placed, key: "" };
    this.viewpoint.changed();
  }

  /**
   * Updates text and place after painting.
   * @param {Lane | null} lane the followed lane
   * @param {{read: string, written: string | null} | null} words of the lane
   */
  place(lane, words) {
    const links = this.linksOf(lane);
    const own = lane && links && (words?.written || isReadBy(links, lane)) ? links : null;
    const hasThread = this.thread.say(own, lane, words, this.placed.size === "narrow");
    // A film has its own caption.
    const isSaid = (this.change.isSaid || hasThread) && !this.viewpoint.isFilmed;
    const box = isSaid && links ? this.boxBeside(links, hasThread) : null;
    this.viewpoint.claims.set("caption", box ? [box] : []);
    if (this.el.hidden === Boolean(box)) this.el.hidden = !box;
    this.onSaid(box !== null && this.change.isSaid);
    if (!box) return;
    const { size, withThread } = this.placed;
    this.thread.say(withThread ? own : null, lane, words, size === "narrow");
    this.el.style.transform = `translate(${box.x}px, ${box.y}px)`;
  }

  /**
   * The links beside which the caption is placed. For a source word: the last links through which
   * it is read. For another word: the last links to the source or, without a source, to earlier
   * words. Without a followed word: the links of the last cross-attention, or else the last links.
   * @param {Lane | null} lane
   */
  linksOf(lane) {
    const all = this.drawing?.links ?? [];
    const reading = lane && all.findLast((links) => isReadBy(links, lane));
    if (reading) return reading;
    const own = lane ? all.filter(({ placed }) => placed.item.stack === lane.stack) : all;
    return own.findLast(({ placed: { item } }) => item.keys !== item.stack) ?? own.at(-1) ?? null;
  }

  /** The links that the text about the followed word names. @param {Lane | null} lane */
  named(lane) {
    const links = lane && this.linksOf(lane);
    return lane && links ? namedLinks(links, lane) : [];
  }

  /** The height of the text about the change in CSS px. @param {Size} size */
  heightOfChange(size) {
    if (!this.change.isSaid) return 0;
    const known = this.heights[size];
    if (known !== undefined) return known;
    this.el.hidden = false;
    this.setSize(size);
    const height = this.change.el.offsetHeight;
    this.heights[size] = height;
    return height;
  }

  /** @param {Size} size */
  setSize(size) {
    this.el.classList.remove(...ORDER);
    this.el.classList.add(size);
    this.el.style.setProperty("--thread", `${SIZES[size].thread}px`);
  }

  /** A free place right of the ribbons. @param {LaneLinks} links @param {boolean} hasThread */
  boxBeside(links, hasThread) {
    const { viewpoint, placed } = this;
    const { view, claims, stamp } = viewpoint;
    const key = `${stamp} ${claims.version} ${links.placed.part} ${hasThread}`;
    if (placed.key === key) return placed.place?.box ?? null;
    const { box: drawn, item } = links.placed;
    const { keys, stack } = item;
    // Include the reserved rows, so that the caption stays in place when rows appear.
    const lanes = this.drawing?.plan.lanes.get(stack);
    const empty = lanes ? lanes.bottom - lanes.top - lanes.count * LANE : 0;
    const all = { ...drawn, height: drawn.height + empty };
    const { x, y, width, height } = viewpoint.boxOf(all);
    const at = { x: x + width + 8, y: y + height / 4 };
    const under = keys === stack ? (3 * height) / 4 + FAR.under : 0;
    const down = Math.max(FAR.down, under);
    const corner = { x: at.x, y: at.y - FAR.down, width: FAR.across, height: FAR.down + down };
    const near = { ringed: { at, radius: 0 }, far: down + FAR.across, isLined: false, corner };
    const boxes = claims.without("caption");
    /** @param {boolean} withThread @returns {Placed | null} */
    const find = (withThread) => {
      // If there is no room for the reserved space, only for the texts there are. A run describes
      // no change.
      const sizes = (this.trains() ? [false] : [true, false]).flatMap((reserves) =>
        ORDER.map((size, k) => {
          const { width, thread, change } = SIZES[size];
          const least = reserves ? thread + BETWEEN + change : 0;
          const told = this.heightOfChange(size);
          const height = told + (withThread ? thread + (told ? BETWEEN : 0) : 0);
          const extra = (reserves ? k : k + ORDER.length) * SMALLER;
          return { size, width, height: Math.max(least, height), extra };
        }),
      );
      const before = placed.place && { place: placed.place, at: placed.at };
      const place = placeNear(sizes, near, view, boxes, before);
      const size = sizes.find((each) => each === place?.size)?.size;
      return place && size ? { key, size, place, at, withThread } : null;
    };
    // If there is no room for both, show the change.
    const alone = () => (hasThread && this.change.isSaid ? find(false) : null);
    this.placed = find(hasThread) ?? alone() ?? { ...NOWHERE, key };
    this.setSize(this.placed.size);
    return this.placed.place?.box ?? null;
  }
}
