/**
 * The camera and the view of the picture: their state, the moves of the camera, and conversions
 * between coordinates of the picture and the view.
 */

import { prefersStillness } from "../../components/shared/motion.js";
import { Claims } from "../labels/claims.js";
import { AdaptiveResolution } from "./adaptive_resolution.js";
import { between, boxIn, centered, heightAt, scales, within } from "./camera.js";
import { nearPart, partCamera } from "./part_camera.js";
import { isQuiet, showsBars } from "./quiet.js";
import { innerOf, limitsIn, NO_LIMITS, wholeCamera } from "./whole_camera.js";

/**
 * @import {Lane} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Plan, Rect} from "./plan.js"
 * @import {Reasons} from "./quiet.js"
 */

const FLIGHT = 420; // ms
/** Width of a cell in CSS px from which its column's name is shown. */
export const NAMED = 17;
const NEARER = 2.2; // zoom factor of a double click on a part that is already near

/**
 * @typedef {object} ViewpointServices
 * @property {() => void} onChanged called when the camera, the size or the structure has changed
 * @property {() => Lane | null} followed the lane that is followed
 * @property {() => Rect | null} inUse the place of weights with a selected or focused number
 * @property {() => boolean} showsAll whether all numbers are to be shown
 * @property {() => boolean} mayResize whether the canvas may change its resolution now
 */

export class Viewpoint {
  /** @param {HTMLElement} el the view @param {ViewpointServices} services */
  constructor(el, services) {
    this.el = el;
    this.services = services;
    this.foldedFor = ""; // the reasons to show weights from afar, at the last refit
    this.plan = /** @type {Plan | null} */ (null);
    this.camera = /** @type {Camera} */ ({ x: 0, y: 0, zoom: 1, ...NO_LIMITS });
    this.isFitted = true;
    this.isFilmed = false; // whether a film moves the camera
    this.view = { width: 0, height: 0 };
    this.box = new DOMRect(); // of the view in the window
    /** CSS px at the left and at the top that words and headings cover. */
    this.covered = { left: 0, top: 0 };
    this.claims = new Claims();
    this.screen = 1; // device pixels per CSS pixel
    this.sharpness = new AdaptiveResolution(() => this.changed(), services.mayResize);
    this.stamp = 0; // counts up with every move of the camera
    this.flight = 0;
    /** The camera at the end of a flight. */
    this.end = () => this.camera;
    /** The goal of the last flight; kept in view when the size of the view changes. */
    this.goal = /** @type {(() => Camera) | null} */ (null);
    this.asked = /** @type {number[] | null} */ (null); // a middle and a zoom that were kept
    // Measure the view's place only on events after which it may have changed; camera moves do not.
    for (const type of ["pointerenter", "pointerdown", "focusin"])
      el.addEventListener(type, () => this.locate(), { capture: true });
  }

  /** The camera that shows the whole picture. */
  fitted() {
    const { plan, free, camera, limits } = this;
    if (!plan || !free.width) return camera;
    const inner = innerOf(plan, free, this.reasons, this.isFilmed);
    return wholeCamera(plan, free, inner, limits, this.services.inUse());
  }

  /** Applies the present limits, and keeps the whole picture in sight if it was in sight. */
  refit() {
    if (!this.plan || !this.view.width || this.flight) return;
    if (this.isFitted) this.camera = this.fitted();
    else this.camera = { ...this.camera, ...this.limits };
    this.changed();
  }

  /** The reasons to show weights and symbols from afar. @returns {Reasons} */
  get reasons() {
    const { lesson, room } = document.documentElement.dataset;
    return {
      isAsked: this.services.showsAll(),
      isOpened: this.plan?.parts.some(({ entry }) => entry.unfolded) ?? false,
      isTold: lesson !== undefined && !this.isFilmed,
      isReached: this.services.inUse() !== null,
      isTrained: room === "train",
    };
  }

  get isQuiet() {
    return isQuiet(this.reasons, this.camera);
  }

  get showsBars() {
    return showsBars(this.reasons, this.camera);
  }

  /**
   * The view above the card of gradients, if it lies across the lower part. The card of a
   * comparison covers the picture, so that its rows stay.
   * @returns {Size}
   */
  get free() {
    if (!this.reasons.isAsked) return this.view;
    const { width, height } = this.view;
    const below = this.claims
      .of("card")
      .filter((card) => card.width > width / 2 && card.y > height - card.y - card.height);
    return { width, height: Math.min(height, ...below.map(({ y }) => y)) };
  }

  /** Limits with which the picture fills the view and every number can be made readable. */
  get limits() {
    const { plan, free, reasons, isFilmed } = this;
    if (!plan || !free.width) return NO_LIMITS;
    return limitsIn(plan, free, innerOf(plan, free, reasons, isFilmed), reasons, isFilmed);
  }

  /** Refits if the reasons to show weights and symbols have changed. */
  refold() {
    const key = Object.values(this.reasons).join();
    if (key === this.foldedFor) return;
    this.foldedFor = key;
    this.refit();
  }

  /** Whether column names are shown: if some cells are wide enough and the picture is not quiet. */
  get namesColumns() {
    const isWide = this.plan !== null && this.plan.widest * this.camera.zoom >= NAMED;
    return isWide && !this.isQuiet;
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
   * Moves a point of the picture to the middle of the view.
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
    this.goal = null; // a fixed camera does not depend on the size of the view
  }

  /** @param {() => Camera} goal called in every frame, since the size of the view may change */
  flyTo(goal) {
    this.stop();
    this.goal = this.end = goal;
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

  /** The camera at rest: during a flight, the camera at its end. */
  get resting() {
    return this.flight ? this.end() : this.camera;
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
      const { plan, view, limits, camera } = this;
      const found = part();
      return found && plan
        ? partCamera(found, plan, view, limits, this.services.followed(), this.reasons.isTold)
        : camera;
    });
  }

  /**
   * Flies to the part at a point of the window; outside all parts, shows the whole picture.
   * @param {number} clientX @param {number} clientY
   */
  goNear(clientX, clientY) {
    const { x, y } = this.pointAt(clientX, clientY);
    const inside = (/** @type {Rect} */ r) =>
      x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
    const { plan, view, limits } = this;
    const part = plan?.parts.find(inside);
    if (!plan || !part) {
      this.showAll();
      return;
    }
    const goal = nearPart(part, plan, view, limits);
    if (this.camera.zoom < goal.zoom * 0.9) this.fly(goal);
    else this.fly(centered({ x, y }, this.camera.zoom * NEARER, view, limits));
  }

  changed() {
    this.stamp++;
    this.services.onChanged();
  }

  /** Canvas pixels per CSS pixel. */
  get ratio() {
    return this.sharpness.ratio(this.screen);
  }

  /** @param {number[] | null} asked middle x, y and zoom; null: the whole picture is in sight */
  begin(asked) {
    this.asked = asked;
    this.goal = null;
    this.isFitted = !asked;
    if (this.view.width) this.answer();
  }

  /** Applies the requested camera, once the size of the view is known. */
  answer() {
    const [x, y, zoom] = this.asked ?? [0, 0, 0];
    if (this.asked) this.center({ x, y }, zoom);
    else if (this.isFitted) this.camera = this.fitted();
    this.asked = null;
    this.changed();
  }

  /** Reads the position of the view in the window. */
  locate() {
    this.box = this.el.getBoundingClientRect();
  }

  /**
   * Claims the place of an element if the element is over the picture.
   * @param {string} owner @param {HTMLElement} el @param {string} position its CSS position there
   */
  claim(owner, el, position) {
    const { x, y, width, height } = el.getBoundingClientRect();
    const isOver = width > 0 && getComputedStyle(el).position === position;
    const home = this.el.getBoundingClientRect();
    this.claims.set(owner, isOver ? [{ x: x - home.x, y: y - home.y, width, height }] : []);
  }

  /** Reads the size of the view. @returns {boolean} whether it has changed */
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
    // Keep the goal in sight if there is one, else keep the same point in the middle.
    if (this.flight) this.changed();
    else if (!this.asked && !this.isFitted && this.goal) this.put(this.goal());
    else if (!this.asked && !this.isFitted && middle)
      this.put(centered(middle, this.camera.zoom, this.view, this.limits));
    else this.answer();
    return true;
  }

  /** The middle of the view, in units of the picture. */
  get middle() {
    return this.pointIn(this.view.width / 2, this.view.height / 2);
  }

  /** A rectangle of the picture in CSS px of the view. @param {Rect} rect @returns {Box} */
  boxOf(rect) {
    return boxIn(rect, this.camera);
  }

  /** Converts client px to CSS px of the view. @param {number} clientX @param {number} clientY */
  inView(clientX, clientY) {
    const { box } = this;
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** Converts CSS px of the view to units. @param {number} x @param {number} y */
  pointIn(x, y) {
    const { camera } = this;
    return { x: camera.x + x / scales(camera).across, y: heightAt(camera, y) };
  }

  /** Converts client px to units. @param {number} clientX @param {number} clientY */
  pointAt(clientX, clientY) {
    const { x, y } = this.inView(clientX, clientY);
    return this.pointIn(x, y);
  }
}
