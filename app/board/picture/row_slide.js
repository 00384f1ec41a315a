/**
 * Animates added and removed words: their rows slide in and out, and the others move.
 *
 * The new words and their numbers arrive in one message. Both pictures are drawn in horizontal
 * slices that move to their new places; the old picture is on top and fades.
 */

import { make } from "../../components/shared/dom.js";
import { moveOnce, prefersStillness } from "../../components/shared/motion.js";
import { sameLabels } from "../data/same_labels.js";
import { contextOf } from "../paint/near_canvas.js";
import { placeDown } from "./camera.js";
import { LANE } from "./plan.js";

/**
 * @import {WholeEntry} from "../data/types.js"
 * @import {Camera} from "./camera.js"
 * @import {Drawing} from "./drawing.js"
 * @import {Labels} from "./labels.js"
 * @import {NextWords} from "./next_words.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {{before: number, now: number}} Knot a y in the old and in the new picture, CSS px
 * @typedef {{stack: number, index: number}} LaneRow
 * @typedef {{top: number, rows: number[], bottom: number}[]} Heights `rows`: edges; by stack
 */

const LASTS = 220; // ms
const LEAST_MOVE = 0.3; // CSS px; a label that would move less is not animated

/**
 * Maps each y of the old picture to the new one: removed rows shrink to 0, new rows grow from 0.
 * @param {readonly (readonly [number, number][])[]} same rows that stay, old and new, by stack
 * @param {Heights} before @param {Heights} now @returns {Knot[]} from top to bottom
 */
export function knotsOf(same, before, now) {
  return same.flatMap((pairs, s) => {
    const [was, is] = [before[s], now[s]];
    const knots = [{ before: was.top, now: is.top }];
    for (const [i, j] of pairs)
      knots.push(
        { before: was.rows[i], now: is.rows[j] },
        { before: was.rows[i + 1], now: is.rows[j + 1] },
      );
    knots.push({ before: was.rows[was.rows.length - 1], now: is.rows[is.rows.length - 1] });
    knots.push({ before: was.bottom, now: is.bottom });
    return knots;
  });
}

/**
 * Converts a y of one picture to the other.
 * @param {readonly Knot[]} knots @param {"before" | "now"} from @param {number} y
 */
export function moved(knots, from, y) {
  const to = from === "now" ? "before" : "now";
  const after = knots.findIndex((knot) => knot[from] > y);
  if (after === 0) return y + knots[0][to] - knots[0][from];
  const [a, b] = after < 0 ? [knots[knots.length - 1], null] : [knots[after - 1], knots[after]];
  if (!b) return y + a[to] - a[from];
  return a[to] + ((y - a[from]) / (b[from] - a[from])) * (b[to] - a[to]);
}

/** A key that is equal if two structures differ only in their rows. @param {WholeEntry} entry */
const partsOf = ({ parts, stacks }) =>
  JSON.stringify([parts.map(({ id, unfolded }) => [id, unfolded]), stacks.map((s) => s.stack)]);

/** @param {WholeEntry} entry */
const wordsOf = ({ stacks }) => stacks.map(({ words }) => words);

/** The visible labels; labels at the ends of rows have a `row`. @param {HTMLElement} layer */
function labelsOf(layer) {
  const all = /** @type {HTMLElement[]} */ ([...layer.querySelectorAll("[style]")]);
  return all
    .filter(({ style, hidden }) => style.transform && !hidden)
    .map((el) => {
      const { stack, row } = el.dataset;
      return { el, row: row === undefined ? null : { stack: Number(stack), index: Number(row) } };
    });
}

/** Adds their places to labels. @template {{el: HTMLElement}} T @param {T[]} labels */
const placed = (labels) => labels.map((label) => ({ ...label, ...middleOf(label.el) }));

/** The point of a label that does not move when it is scaled. @param {HTMLElement} el */
function middleOf(el) {
  const { a: scale, e, f } = new DOMMatrix(el.style.transform);
  const share = el.matches(".word, .written") ? 0 : 0.5;
  return { x: e + share * scale * el.offsetWidth, y: f + (scale * el.offsetHeight) / 2 };
}

/**
 * Whether rows appear without a slide. During training and in its timeline, sentences change faster
 * than rows can slide: there, rows slide only if the stacks move, as when training begins.
 * @param {Heights} before @param {Heights} now @param {boolean} isTrained
 */
const appearsInPlace = (before, now, isTrained) =>
  prefersStillness() ||
  (isTrained &&
    now.every(({ top, rows }, s) => {
      const was = before[s];
      return was && Math.abs(was.top - top) < 1 && Math.abs(was.rows[0] - rows[0]) < 1;
    }));

export class RowSlide {
  /**
   * @param {Viewpoint} viewpoint @param {HTMLCanvasElement} canvas of the picture
   * @param {Labels} labels @param {NextWords} nextWords
   * @param {() => boolean} trains whether training changes the numbers now
   */
  constructor(viewpoint, canvas, labels, nextWords, trains) {
    this.viewpoint = viewpoint;
    this.trains = trains;
    this.picture = canvas;
    this.labels = labels;
    this.nextWords = nextWords;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.ctx = contextOf(this.canvas);
    this.gone = make("div", { class: "old-words", "aria-hidden": "true", inert: true });
    const attributes = { class: "row-slide", "aria-hidden": "true", hidden: true };
    this.el = make("div", attributes, this.canvas, this.gone);
    this.before = contextOf(make("canvas"));
    this.was = /** @type {{words: string[][], heights: Heights, camera: Camera} | null} */ (null);
    this.now = /** @type {{entry: WholeEntry, drawing: Drawing} | null} */ (null);
    this.knots = /** @type {Knot[]} */ ([]);
    this.request = 0;
    this.begun = 0; // ms
  }

  /** Whether the old picture is still shown, or rows are moving. */
  get isOn() {
    return this.now !== null;
  }

  /**
   * Keeps an image of the present picture before a new structure is shown.
   * @param {WholeEntry | null} then @param {Plan | null} plan of it @param {WholeEntry | null} next
   */
  keep(then, plan, next) {
    const { viewpoint, picture } = this;
    const isWaiting = this.now !== null && this.request === 0;
    const mayStand = then && plan && next && partsOf(then) === partsOf(next);
    const isOther = mayStand && String(wordsOf(then)) !== String(wordsOf(next));
    // Keep an older image that still waits, and rows that already slide to the same words.
    if (mayStand && (isWaiting || (this.isOn && !isOther))) return;
    this.end();
    if (!isOther || !picture.width) return;
    const { canvas } = this.before;
    Object.assign(canvas, { width: picture.width, height: picture.height });
    this.before.drawImage(picture, 0, 0);
    this.was = {
      words: wordsOf(then),
      heights: this.heights(plan, wordsOf(then)),
      camera: viewpoint.camera,
    };
    const words = this.labels.el.querySelectorAll(".word, .written, .left-out");
    this.gone.replaceChildren(...[...words].map((el) => el.cloneNode(true)));
  }

  /** Shows the old picture. @param {WholeEntry | null} entry @param {Drawing | null} drawing */
  show(entry, drawing) {
    if (!this.was || !entry || !drawing) return;
    if (String(wordsOf(entry)) === String(this.was.words)) {
      this.end(); // back to the old words
      return;
    }
    this.now = { entry, drawing };
    if (this.request) return;
    this.size();
    this.labels.wait(true);
    this.el.hidden = false;
    this.viewpoint.el.classList.add("slides");
  }

  /** Adopts the size of the picture, which may change during the slide. */
  size() {
    if (!this.isOn) return;
    Object.assign(this.canvas, { width: this.picture.width, height: this.picture.height });
    this.ctx.drawImage(this.before.canvas, 0, 0);
  }

  /** Begins the slide in the frame in which the new picture was painted. */
  look() {
    if (this.now && !this.request) this.begin();
  }

  /** Starts moving the rows. */
  begin() {
    const { was, now, viewpoint } = this;
    const words = now ? wordsOf(now.entry) : [];
    const heights = now ? this.heights(now.drawing.plan, words) : [];
    const isTrained = viewpoint.reasons.isTrained || this.trains();
    if (!was || !now || appearsInPlace(was.heights, heights, isTrained)) {
      this.end();
      return;
    }
    const same = words.map((all, s) => sameLabels(was.words[s] ?? [], all));
    this.knots = knotsOf(same, was.heights, heights);
    this.labels.wait(false);
    this.slideLabels(same);
    viewpoint.changed();
    this.begun = performance.now();
    this.request = requestAnimationFrame(() => this.step());
  }

  /**
   * Animates labels from their old places; removed and new words fade.
   * @param {[number, number][][]} same rows of each stack
   */
  slideLabels(same) {
    const timing = { duration: LASTS, easing: "cubic-bezier(0.33, 0, 0.67, 1)" };
    const isStaying = (/** @type {0 | 1} */ which) =>
      same.map((pairs) => new Set(pairs.map((pair) => pair[which])));
    const [stayed, stays] = [isStaying(0), isStaying(1)];
    const isKept = (/** @type {LaneRow | null} */ row) => !row || stayed[row.stack]?.has(row.index);
    const going = labelsOf(this.gone);
    for (const { el, row } of going) if (isKept(row)) el.remove();
    // Measure all labels before one moves: reading a size after a change forces a layout.
    const { el: bars, first } = this.nextWords;
    const labels = [
      ...placed(labelsOf(this.labels.el)),
      ...(first ? [{ el: bars, row: null, ...first }] : []),
    ];
    const leaving = placed(going.filter(({ row }) => !isKept(row)));
    for (const { el, row, x, y } of labels) {
      const [dx, dy] = [this.across("now", x) - x, moved(this.knots, "now", y) - y];
      if (Math.hypot(dx, dy) >= LEAST_MOVE)
        moveOnce(el, [{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], timing);
      if (row && !stays[row.stack]?.has(row.index))
        moveOnce(el, [{ opacity: 0 }, { opacity: 1 }], timing);
    }
    for (const { el, x, y } of leaving) {
      const [dx, dy] = [this.across("before", x) - x, moved(this.knots, "before", y) - y];
      el.animate([{}, { translate: `${dx}px ${dy}px`, opacity: 0 }], { ...timing, fill: "both" });
    }
  }

  /** Converts an x of one picture to the other. @param {"before" | "now"} from @param {number} x */
  across(from, x) {
    const [was, is] = [this.was?.camera ?? this.viewpoint.camera, this.viewpoint.camera];
    const [own, other] = from === "now" ? [is, was] : [was, is];
    return (own.x + x / own.zoom - other.x) * other.zoom;
  }

  step() {
    const share = Math.min(1, (performance.now() - this.begun) / LASTS);
    if (share === 1) {
      this.end();
      return;
    }
    const eased = share * share * (3 - 2 * share);
    const { ctx, canvas, knots, picture, before } = this;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.fillStyle = getComputedStyle(this.el).backgroundColor;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    this.slices(picture, knots, "now", 1 - eased);
    ctx.globalAlpha = 1 - eased;
    this.slices(before.canvas, knots, "before", eased);
    ctx.globalAlpha = 1;
    this.request = requestAnimationFrame(() => this.step());
  }

  /**
   * Draws a picture with its rows partly moved.
   * @param {HTMLCanvasElement} from @param {Knot[]} knots @param {"before" | "now"} own
   * @param {number} share of the way to their places in the other picture
   */
  slices(from, knots, own, share) {
    const { ctx, viewpoint } = this;
    const { ratio } = viewpoint;
    const view = { width: from.width / ratio, height: from.height / ratio };
    const way = (/** @type {number} */ x) => x + (this.across(own, x) - x) * share;
    const [left, right] = [way(0), way(view.width)];
    const other = own === "now" ? "before" : "now";
    const on = (/** @type {Knot} */ knot) => knot[own] + (knot[other] - knot[own]) * share;
    const [first, last] = [knots[0], knots[knots.length - 1]];
    const top = { before: first.before - first[own], now: first.now - first[own] };
    const rest = view.height - last[own];
    const all = [top, ...knots, { before: last.before + rest, now: last.now + rest }];
    for (let k = 0; k + 1 < all.length; k++) {
      const [y, height] = [all[k][own], all[k + 1][own] - all[k][own]];
      const [at, tall] = [on(all[k]), on(all[k + 1]) - on(all[k])];
      if (height <= 0 || tall <= 0 || y >= view.height || y + height <= 0) continue;
      const place = [left, at, right - left, tall].map((side) => side * ratio);
      const [toX, toY, toWide, toTall] = place;
      ctx.drawImage(from, 0, y * ratio, from.width, height * ratio, toX, toY, toWide, toTall);
    }
  }

  /** @param {Plan} plan @param {string[][]} words @returns {Heights} */
  heights({ lanes, parts }, words) {
    const { camera } = this.viewpoint;
    const y = (/** @type {number} */ at) => placeDown(camera, at);
    return [...lanes.values()].map(({ stack, top }, s) => {
      const own = parts.filter(({ entry }) => entry.stack === stack && entry.kind !== "cross");
      const edges = Array.from({ length: words[s].length + 1 }, (_, k) => y(top + k * LANE));
      const end = Math.max(edges[edges.length - 1], ...own.map((part) => y(part.y + part.height)));
      return { top: y(top - LANE), rows: edges, bottom: end };
    });
  }

  end() {
    const wasOn = this.isOn;
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.was = this.now = null;
    this.el.hidden = true;
    this.viewpoint.el.classList.remove("slides");
    this.labels.wait(false);
    this.gone.replaceChildren();
    if (!wasOn) return;
    // Place the labels first, since other elements avoid them.
    for (const { el } of [this.labels, this.nextWords])
      for (const moving of el.getAnimations({ subtree: true })) moving.cancel();
    this.labels.place();
    this.viewpoint.changed();
  }
}
