/**
 * The caption of the picture: what the last change did, and what the followed word looks at. It
 * stands beside the ribbons where nothing else is drawn; it is not shown if there is no such place.
 */

import { make } from "../../shared/dom.js";
import { coveredBy, occupied } from "./free_place.js";
import { LastChange } from "./last_change.js";
import { isReadBy, namedLinks, ThreadWords } from "./thread_words.js";

/**
 * @import {Lane, Send, WholeEntry} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Drawing} from "./drawing.js"
 * @import {Occupied} from "./free_place.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {Changed} from "./last_change.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {"large" | "wide" | "medium" | "narrow"} Size
 * @typedef {{key: string, size: Size, box: Box | null, withThread: boolean}} Placed where it
 *   stands, whether with what the followed word looks at, and the view, the words and the hint
 *   (`key`) for which that was found
 */

/** CSS px: its width, and the height of the words on the followed word. */
const SIZES = /** @type {const} */ ({
  large: { width: 372, thread: 160 },
  wide: { width: 300, thread: 130 },
  medium: { width: 258, thread: 120 },
  narrow: { width: 152, thread: 106 },
});
const ORDER = /** @type {Size[]} */ (["large", "wide", "medium", "narrow"]);
const NOWHERE = /** @type {Placed} */ ({ key: "", size: "narrow", box: null, withThread: true });
const BETWEEN = 14; // CSS px from the words on the change to those on the followed word
/** CSS px from the ribbons, where one would not see what is meant; and between places tried. */
const FAR = { across: 160, down: 240 };
const STEP = 12;
const EDGE = 4; // CSS px to the edges of the view
/** Places right of the ribbons that are tried, the nearest first. */
const OFFSETS = steps(0, FAR.across)
  .flatMap((x) => steps(-FAR.down, FAR.down).map((y) => ({ x, y })))
  .sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));

export class Caption {
  /**
   * @param {Viewpoint} viewpoint @param {Send} send @param {() => boolean} isLocked
   * @param {(isSaid: boolean) => void} onSaid whether the last change is said here
   */
  constructor(viewpoint, send, isLocked, onSaid) {
    this.viewpoint = viewpoint;
    this.onSaid = onSaid;
    this.drawing = /** @type {Drawing | null} */ (null);
    this.change = new LastChange(send, isLocked);
    this.thread = new ThreadWords(send, isLocked);
    this.heights = /** @type {Partial<Record<Size, number>>} */ ({}); // of the words on the change
    this.placed = NOWHERE;
    this.el = make(
      "div",
      { class: "picture-caption", "data-part": "caption", hidden: true, "data-unrecorded": "" },
      this.change.el,
      this.thread.el,
    );
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

  /** Looks for a place anew: the words on the change have another height. */
  renew() {
    this.heights = {};
    this.placed = { ...this.placed, key: "" };
    this.viewpoint.changed();
  }

  /**
   * After something was painted.
   * @param {Lane | null} lane that is followed
   * @param {{read: string, written: string | null} | null} words of it
   * @param {Box | null} hint that stands over the picture
   */
  place(lane, words, hint) {
    const links = this.linksOf(lane);
    const own = lane && links && (words?.written || isReadBy(links, lane)) ? links : null;
    const hasThread = this.thread.say(own, lane, words, this.placed.size === "narrow");
    const isSaid = this.change.isSaid || hasThread;
    const box = isSaid && links ? this.boxBeside(links, hasThread, hint) : null;
    if (this.el.hidden === Boolean(box)) this.el.hidden = !box;
    this.onSaid(box !== null && this.change.isSaid);
    if (!box) return;
    const { size, withThread } = this.placed;
    this.thread.say(withThread ? own : null, lane, words, size === "narrow");
    this.el.style.transform = `translate(${box.x}px, ${box.y}px)`;
  }

  /**
   * Those by which the word looks at the source; without a source, at what it wrote, in the last
   * layer; those by which a word of the source is read. Without a word, those of the stack that
   * writes.
   * @param {Lane | null} lane @returns {LaneLinks | null}
   */
  linksOf(lane) {
    const all = this.drawing?.links ?? [];
    const reading = lane && all.findLast((links) => isReadBy(links, lane));
    if (reading) return reading;
    const own = lane ? all.filter(({ placed }) => placed.item.stack === lane.stack) : all;
    return own.findLast(({ placed: { item } }) => item.keys !== item.stack) ?? own.at(-1) ?? null;
  }

  /** The links that the words on a followed word name. @param {Lane | null} lane */
  named(lane) {
    const links = lane && this.linksOf(lane);
    return lane && links ? namedLinks(links, lane) : [];
  }

  /** CSS px that the words on the change take. @param {Size} size */
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
  }

  /**
   * A place right of the ribbons that covers nothing.
   * @param {LaneLinks} links @param {boolean} hasThread @param {Box | null} hint
   * @returns {Box | null}
   */
  boxBeside(links, hasThread, hint) {
    const { viewpoint, placed } = this;
    const { plan, view, stamp } = viewpoint;
    const at = `${links.placed.part} ${hasThread} ${hint?.x} ${hint?.y}`;
    const key = `${stamp} ${view.width} ${view.height} ${at}`;
    if (placed.key === key || !plan) return placed.box;
    const { x, y, width, height } = viewpoint.boxOf(links.placed.box);
    const beside = { x: x + width + 8, y: y + height / 4 };
    const boxes = occupied(plan, (rect) => viewpoint.boxOf(rect));
    if (hint) boxes.push(hint);
    /** @param {boolean} withThread @returns {Placed | null} */
    const place = (withThread) => {
      for (const size of ORDER) {
        const change = this.heightOfChange(size);
        const thread = withThread ? SIZES[size].thread + (change ? BETWEEN : 0) : 0;
        const wanted = { width: SIZES[size].width, height: change + thread };
        const box = freeBox(wanted, beside, view, boxes);
        if (box) return { key, size, box, withThread };
      }
      return null;
    };
    // Where both have no room, the change is worth more.
    const alone = () => (hasThread && this.change.isSaid ? place(false) : null);
    this.placed = place(hasThread) ?? alone() ?? { ...NOWHERE, key };
    this.setSize(this.placed.size);
    return this.placed.box;
  }
}

/** Numbers a step apart. @param {number} from @param {number} to */
function steps(from, to) {
  return Array.from({ length: Math.floor((to - from) / STEP) + 1 }, (_, k) => from + k * STEP);
}

/**
 * The place nearest a point that covers nothing: the camera moves while it is looked for.
 * @param {{width: number, height: number}} size @param {{x: number, y: number}} point
 * @param {{width: number, height: number}} view @param {Occupied[]} boxes
 * @returns {Box | null}
 */
function freeBox(size, point, view, boxes) {
  for (const { x, y } of OFFSETS) {
    const box = { ...size, x: point.x + x, y: point.y + y };
    const isInX = box.x >= EDGE && box.x + box.width + EDGE <= view.width;
    const isInY = box.y >= EDGE && box.y + box.height + EDGE <= view.height;
    if (isInX && isInY && coveredBy(box, boxes) === 0) return box;
  }
  return null;
}
