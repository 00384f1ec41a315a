/**
 * Where the reader stands before the picture: the camera, how large the view is, and how places of
 * the one are found in the other.
 */

import { prefersStillness } from "../../shared/motion.js";
import { between, centered, fit, fitAcross, scales, tallOf, within } from "./camera.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Camera} from "./camera.js"
 * @import {Plan, Rect} from "./plan.js"
 */

const FLIGHT = 420; // ms
const NO_LIMITS = { tall: 0.02, deep: 6, most: 28 };
/** CSS px that a number needs across, and downward, at the greatest zoom. */
const NUMBER = 56;
const LINE = 15;
/** CSS px across a cell from which its column's name is shown. */
export const NAMED = 17;
const NEARER = 2.2; // times, by a double click on what is near already
/** CSS px for the words at the ends of the lanes, where all is in sight. */
const ENDS = { left: 60, right: 66 };
const NEAR_MARGIN = 34;
const NAMES = 84; // CSS px of the words of the rows, where they stand at the left edge

export class Viewpoint {
  /**
   * @param {HTMLElement} el the view
   * @param {() => void} onChanged the camera, the size or the structure is another
   */
  constructor(el, onChanged) {
    this.el = el;
    this.onChanged = onChanged;
    this.plan = /** @type {Plan | null} */ (null);
    this.camera = /** @type {Camera} */ ({ x: 0, y: 0, zoom: 1, ...NO_LIMITS });
    this.isFitted = true;
    this.view = { width: 0, height: 0 };
    this.box = new DOMRect(); // of the view in the window
    /** CSS px at the left and at the top where words and headings stand over the picture. */
    this.covered = { left: 0, top: 0 };
    this.ratio = 1;
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
    // Beside the picture stand the words at the ends of its lanes, of one size at any distance.
    const inner = { ...view, width: Math.max(60, view.width - ENDS.left - ENDS.right) };
    const camera = fit({ x: 0, y: 0, width: plan.width, height: plan.height }, inner, this.limits);
    return { ...camera, x: camera.x - ENDS.left / camera.zoom };
  }

  /** So tall that all fills the view, so deep and so near that every number can be read. */
  get limits() {
    const { plan, view } = this;
    if (!plan || !view.width) return NO_LIMITS;
    const { cell, row } = plan.least;
    return { tall: tallOf(plan.height, view), deep: LINE / row, most: NUMBER / cell };
  }

  /** Whether the names of columns are shown: some cells are wide enough. */
  get namesColumns() {
    return this.plan !== null && this.plan.widest * this.camera.zoom >= NAMED;
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
      return found.entry.unfolded
        ? fitAcross(found, this.plan, this.view, this.limits, NAMES)
        : fit(found, this.view, this.limits, NEAR_MARGIN);
    });
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
    const goal = fit(part, this.view, this.limits, NEAR_MARGIN);
    if (this.camera.zoom < goal.zoom * 0.9) this.fly(goal);
    else this.fly(centered({ x, y }, this.camera.zoom * NEARER, this.view, this.limits));
  }

  changed() {
    this.stamp++;
    this.onChanged();
  }

  // -- the view -----------------------------------------------------------------------------------

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
    const ratio = devicePixelRatio;
    if (!width || !height || !this.plan) return false;
    if (width === this.view.width && height === this.view.height && ratio === this.ratio)
      return false;
    const middle = this.view.width ? this.middle : null;
    this.view = { width, height };
    this.locate();
    this.ratio = ratio;
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
  boxOf({ x, y, width, height }) {
    const { camera } = this;
    const scale = scales(camera);
    return {
      x: (x - camera.x) * scale.across,
      y: (y - camera.y) * scale.down,
      width: width * scale.across,
      height: height * scale.down,
    };
  }

  /** @param {number} clientX @param {number} clientY in CSS px of the view */
  inView(clientX, clientY) {
    const { box } = this;
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** @param {number} x @param {number} y CSS px of the view */
  pointIn(x, y) {
    const { camera } = this;
    const scale = scales(camera);
    return { x: camera.x + x / scale.across, y: camera.y + y / scale.down };
  }

  /** @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) {
    const { x, y } = this.inView(clientX, clientY);
    return this.pointIn(x, y);
  }
}
