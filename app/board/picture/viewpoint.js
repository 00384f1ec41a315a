/**
 * Where the reader stands before the picture: the camera, how large the view is, and how places of
 * the one are found in the other.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { Claims } from "../labels/claims.js";
import { AdaptiveResolution } from "./adaptive_resolution.js";
import {
  acrossOf,
  between,
  boxIn,
  centered,
  fit,
  fitAcross,
  heightAt,
  PHONE_WIDTH,
  scales,
  tallOf,
  wideOf,
  within,
} from "./camera.js";
import { foldedTo, heightOf, NO_FOLDS } from "./folds.js";
import { LANE } from "./plan.js";
import { isQuiet, leftOut, showsBars } from "./quiet.js";

/**
 * @import {Lane} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Gap} from "./folds.js"
 * @import {PlacedPart, Plan, Rect} from "./plan.js"
 * @import {Reasons} from "./quiet.js"
 */

const FLIGHT = 420; // ms
const NO_LIMITS = { tall: 0.02, deep: 6, wide: 1, most: 28, folds: NO_FOLDS };
/** What is left out where all just fits is shown again from so many times that zoom on. */
const OPENS = 1.4;
/** CSS px that a number needs across, and downward, at the greatest zoom. */
const NUMBER = 56;
const LINE = 15;
/** CSS px across a cell from which its column's name is shown. */
export const NAMED = 17;
const NEARER = 2.2; // times, by a double click on what is near already
/** CSS px for the words at the ends of the lanes, where all is in sight. */
const ENDS = { left: 62, right: 74 };
const NEAR_MARGIN = 34;
const EDGE = 14; // CSS px that stay free round what is in sight
const ROW = 10; // CSS px of a row, at least, on a phone: every row keeps its word
const NAMES = 84; // CSS px of the words of the rows, where they stand at the left edge

export class Viewpoint {
  /**
   * @param {HTMLElement} el the view
   * @param {() => void} onChanged the camera, the size or the structure is another
   * @param {() => Lane | null} looked the lane that is followed
   * @param {() => Rect | null} wanted where the weights are whose number is selected or reached
   * @param {() => boolean} asksAll whether all numbers are to be shown
   * @param {() => boolean} mayResize whether the canvas may get another resolution now
   */
  constructor(el, onChanged, looked, wanted, asksAll, mayResize) {
    this.el = el;
    this.looked = looked;
    this.wanted = wanted;
    this.asksAll = asksAll;
    this.foldedFor = ""; // the reasons for which all was placed last
    this.onChanged = onChanged;
    this.plan = /** @type {Plan | null} */ (null);
    this.camera = /** @type {Camera} */ ({ x: 0, y: 0, zoom: 1, ...NO_LIMITS });
    this.isFitted = true;
    this.view = { width: 0, height: 0 };
    this.box = new DOMRect(); // of the view in the window
    /** CSS px at the left and at the top where words and headings stand over the picture. */
    this.covered = { left: 0, top: 0 };
    this.claims = new Claims();
    this.screen = 1; // device pixels per CSS pixel
    this.sharpness = new AdaptiveResolution(() => this.changed(), mayResize);
    this.stamp = 0; // counts up with every move of the camera
    this.flight = 0;
    /** Where it flies, or has landed: it stays there when the view takes another size. */
    this.goal = /** @type {(() => Camera) | null} */ (null);
    this.asked = /** @type {number[] | null} */ (null); // a middle and a zoom that were kept
    // Read where the view is when that may have changed, not at every move of the camera.
    for (const type of ["pointerenter", "pointerdown", "focusin"])
      el.addEventListener(type, () => this.locate(), { capture: true });
  }

  // -- the camera ---------------------------------------------------------------------------------

  /** The camera from which all is in sight. */
  fitted() {
    const { plan, view } = this;
    if (!plan || !view.width) return this.camera;
    const { limits } = this;
    const inner = narrower(view, ENDS.left + ENDS.right);
    const camera = fit({ x: 0, y: 0, width: plan.width, height: plan.height }, inner, limits);
    const { down } = scales(camera);
    // What is higher than the view begins at its top, and is panned.
    const height = foldedTo(camera, plan.height);
    const isHigher = height * down > view.height - EDGE;
    const wanted = this.wanted();
    const below = wanted ? wanted.y + wanted.height / 2 - view.height / 2 / down : 0;
    const last = height - (view.height - EDGE / 2) / down;
    const y = isHigher ? Math.max(-EDGE / 2 / down, Math.min(below, last)) : camera.y;
    return { ...camera, x: camera.x - ENDS.left / camera.zoom, y };
  }

  /** @param {Plan | null} plan of another structure */
  show(plan) {
    this.plan = plan;
  }

  /** Keeps all in sight, or the place that was gone to, with the present limits. */
  refit() {
    if (!this.plan || !this.view.width || this.flight) return;
    if (this.isFitted) this.camera = this.fitted();
    else this.camera = { ...this.camera, ...this.limits };
    this.changed();
  }

  /** @param {Plan} plan @returns {Gap[]} what is left out, from top to bottom */
  leftOut(plan) {
    const rowOf = (/** @type {readonly Gap[]} */ gaps) =>
      LANE * tallOf(plan.height - heightOf(gaps), this.view);
    return leftOut(plan.secondary, this.reasons, rowOf).toSorted((a, b) => a.from - b.from);
  }

  /** Why weights and symbols are shown from afar, if they are. @returns {Reasons} */
  get reasons() {
    const { lesson, room } = document.documentElement.dataset;
    return {
      isAsked: this.asksAll(),
      isOpened: this.plan?.parts.some(({ entry }) => entry.unfolded) ?? false,
      isTold: lesson !== undefined,
      isReached: this.wanted() !== null,
      isTrained: room === "train",
    };
  }

  get isQuiet() {
    return isQuiet(this.reasons, this.camera);
  }

  get showsBars() {
    return showsBars(this.reasons, this.camera);
  }

  /** So tall that all fills the view, so deep and so near that every number can be read. */
  get limits() {
    const { plan, view } = this;
    if (!plan || !view.width) return NO_LIMITS;
    const { cell, row } = plan.least;
    // In a lesson all that it speaks of is in sight.
    const isPhone =
      view.width < PHONE_WIDTH && document.documentElement.dataset.lesson === undefined;
    const least = isPhone ? ROW / LANE : 0;
    const gaps = this.leftOut(plan);
    const size = { width: plan.width, height: plan.height - heightOf(gaps) };
    const tall = Math.max(least, tallOf(size.height, view));
    const inner = narrower(view, ENDS.left + ENDS.right);
    const wide = wideOf(size, inner);
    // As near as this all is in sight.
    const zoom = Math.min(acrossOf(plan.width, inner), tall * wide);
    const folds = { gaps, opens: OPENS * zoom };
    return { tall, deep: LINE / row, wide, most: NUMBER / cell, folds };
  }

  /** There are other reasons to show weights and symbols: all slides to its place at once. */
  refold() {
    const key = Object.values(this.reasons).join();
    if (key === this.foldedFor) return;
    this.foldedFor = key;
    this.refit();
  }

  /** Whether the names of columns are shown: some cells are wide enough. */
  get namesColumns() {
    const isWide = this.plan !== null && this.plan.widest * this.camera.zoom >= NAMED;
    return isWide && !this.isQuiet;
  }

  /** Whether all of the picture is in the view, also where the camera is not the fitted one. */
  get hasAllInSight() {
    const { plan, view, isFitted } = this;
    if (isFitted || !plan) return true;
    const [start, end] = [this.pointIn(0, 0), this.pointIn(view.width, view.height)];
    return start.x <= 0 && start.y <= 0 && end.x >= plan.width && end.y >= plan.height;
  }

  showAll() {
    this.flyTo(() => this.fitted());
    this.isFitted = true;
  }

  /** @param {Camera} camera */
  moveTo(camera) {
    this.stop();
    this.goal = null;
    this.isFitted = false;
    this.put(camera);
  }

  /**
   * With a point of the picture in the middle of the view.
   * @param {{x: number, y: number}} middle @param {number} [zoom]
   */
  center(middle, zoom = this.camera.zoom) {
    this.moveTo(centered(middle, zoom, this.view, this.limits));
  }

  /** @param {Camera} camera */
  put(camera) {
    const next = { ...camera, ...this.limits };
    this.camera = this.plan ? within(next, this.plan, this.view) : next;
    this.changed();
  }

  /** @param {Camera} camera */
  fly(camera) {
    this.flyTo(() => camera);
    this.goal = null; // a place, and not what is to fill the view
  }

  /** @param {() => Camera} goal asked again on the way: the view may take another size */
  flyTo(goal) {
    this.stop();
    this.goal = goal;
    this.isFitted = false;
    const from = this.camera;
    if (prefersStillness()) {
      this.put(goal());
      return;
    }
    let begin = 0;
    const step = (/** @type {number} */ now) => {
      begin ||= now;
      const share = Math.min(1, (now - begin) / FLIGHT);
      this.put(between(from, goal(), share * share * (3 - 2 * share), this.view));
      this.flight = share < 1 ? requestAnimationFrame(step) : 0;
    };
    this.flight = requestAnimationFrame(step);
  }

  /** With a point of the picture in the middle. @param {{x: number, y: number}} middle */
  goTo(middle) {
    this.fly(centered(middle, this.camera.zoom, this.view, this.limits));
  }

  stop() {
    cancelAnimationFrame(this.flight);
    this.flight = 0;
  }

  /** @param {string} id */
  goToPart(id) {
    const part = () => this.plan?.parts.find(({ entry }) => entry.id === id);
    if (!part()) return;
    this.flyTo(() => {
      const found = part();
      if (!found || !this.plan) return this.camera;
      // Right of the last part stand the words that are written.
      const end = found.x + found.width;
      const isLast = this.plan.parts.every(({ x, width }) => x + width <= end);
      const view = isLast ? narrower(this.view, ENDS.right) : this.view;
      return found.entry.unfolded
        ? fitAcross(found, this.plan, view, this.limits, NAMES, this.rowsOf(found))
        : this.nearTo(found, view);
    });
  }

  /**
   * A part in the middle of the view; where some of it is left out from afar, so near that this is
   * there: all of it, or else its rows in the middle.
   * @param {PlacedPart} part @param {Size} view @returns {Camera}
   */
  nearTo(part, view) {
    const { limits } = this;
    const { gaps, opens } = limits.folds;
    if (!gaps.length) return fit(part, view, limits, NEAR_MARGIN);
    const rows = { ...part, height: this.rowsOf(part).height };
    const zoomTo = (/** @type {Rect} */ rect) =>
      fit(rect, view, { ...limits, folds: NO_FOLDS }, NEAR_MARGIN).zoom;
    const isWhole = zoomTo(part) >= opens;
    const shown = isWhole ? part : rows;
    const zoom = zoomTo(shown);
    const middle = { x: part.x + part.width / 2, y: part.y + shown.height / 2 };
    return centered(middle, Math.max(zoom, opens), view, limits);
  }

  /** What of a part is to be in sight. @param {PlacedPart} part */
  rowsOf({ entry, y, lanes }) {
    const strips = this.plan?.matrices.filter(({ part }) => part === entry.id) ?? [];
    const names = Math.max(0, ...strips.map((strip) => strip.names ?? 0));
    const { stack, index } = this.looked() ?? { stack: "", index: 0 };
    const own = this.plan?.lanes.get(stack);
    const isOwn = own && own.top === lanes.y;
    return {
      height: lanes.y + lanes.height + names - y,
      cell: Math.max(1, ...strips.filter(({ kind }) => kind === "strip").map(({ cell }) => cell)),
      at: isOwn ? lanes.y + (index + 0.5) * LANE : null,
    };
  }

  /**
   * To what is at a place of the window: its part, or beside all parts everything.
   * @param {number} clientX @param {number} clientY
   */
  goNear(clientX, clientY) {
    const { x, y } = this.pointAt(clientX, clientY);
    const inside = (/** @type {Rect} */ r) =>
      x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
    const part = this.plan?.parts.find(inside);
    if (!part) {
      this.showAll();
      return;
    }
    const goal = this.nearTo(part, this.view);
    if (this.camera.zoom < goal.zoom * 0.9) this.fly(goal);
    else this.fly(centered({ x, y }, this.camera.zoom * NEARER, this.view, this.limits));
  }

  changed() {
    this.stamp++;
    this.onChanged();
  }

  // -- the view -----------------------------------------------------------------------------------

  /** Canvas pixels per CSS pixel. */
  get ratio() {
    return this.sharpness.ratio(this.screen);
  }

  /**
   * Where the reader was when this was kept.
   * @param {number[] | null} asked a middle and a zoom; null: all is in sight
   */
  begin(asked) {
    this.asked = asked;
    this.goal = null;
    this.isFitted = !asked;
    if (this.view.width) this.answer();
  }

  /** Go to what was asked for, now that the size of the view is known. */
  answer() {
    const [x, y, zoom] = this.asked ?? [0, 0, 0];
    if (this.asked) this.center({ x, y }, zoom);
    else if (this.isFitted) this.camera = this.fitted();
    this.asked = null;
    this.changed();
  }

  locate() {
    this.box = this.el.getBoundingClientRect();
  }

  /** @returns {boolean} whether the view has another size now */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.el;
    const screen = devicePixelRatio;
    if (!width || !height || !this.plan) return false;
    if (width === this.view.width && height === this.view.height && screen === this.screen)
      return false;
    const middle = this.view.width ? this.middle : null;
    this.view = { width, height };
    this.locate();
    this.screen = screen;
    this.sharpness.forget();
    // What is to fill the view fills it again; else what was in the middle stays there.
    if (this.flight) this.changed();
    else if (!this.asked && !this.isFitted && this.goal) this.put(this.goal());
    else if (!this.asked && !this.isFitted && middle)
      this.put(centered(middle, this.camera.zoom, this.view, this.limits));
    else this.answer();
    return true;
  }

  // -- from the one to the other ------------------------------------------------------------------

  /** What is in the middle of the view, in units of the picture. */
  get middle() {
    return this.pointIn(this.view.width / 2, this.view.height / 2);
  }

  /** A rectangle of the picture in CSS px of the view. @param {Rect} rect @returns {Box} */
  boxOf(rect) {
    return boxIn(rect, this.camera);
  }

  /** @param {number} clientX @param {number} clientY in CSS px of the view */
  inView(clientX, clientY) {
    const { box } = this;
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** @param {number} x @param {number} y CSS px of the view */
  pointIn(x, y) {
    const { camera } = this;
    return { x: camera.x + x / scales(camera).across, y: heightAt(camera, y) };
  }

  /** @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) {
    const { x, y } = this.inView(clientX, clientY);
    return this.pointIn(x, y);
  }
}

/** @param {Size} view @param {number} px that it is narrower @returns {Size} */
const narrower = (view, px) => ({ ...view, width: Math.max(60, view.width - px) });
