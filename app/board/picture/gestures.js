/** Moves the camera of the whole picture by pointer, wheel, two fingers and keys. */

import { announce } from "../../components/shared/announce.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { isTyping } from "../../components/shared/typing.js";
import { panned, zoomed } from "./camera.js";

/**
 * @import {KeyBinding} from "../../components/shared/keys.js"
 * @import {Point} from "../labels/boxes.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const MIDDLE = 1; // mouse button that pans wherever it is pressed; with Space every button does
const WHEEL = 0.0016; // change of the zoom's logarithm per px of the wheel
const PINCH = 0.01; // the same for a pinch: the browser reports it as small wheel steps with Ctrl
const STEP = 1.45; // zoom factor of a key or button
/** Share of the remaining zoom per frame; logarithms of the last step and of a wheel's notch. */
const EASE = { share: 0.3, least: 0.002, notch: 0.06 };
const LINE = 18; // CSS px of a line, for a wheel that reports lines
const STILL = 4; // CSS px that a press may move and still be a click
const PAUSE = 400; // ms without wheel events after which a turn of the wheel has ended
const HOW = "The wheel scrolls the page. With Ctrl, or after a press on the picture, it zooms.";

export class Gestures {
  /**
   * @param {Viewpoint} viewpoint
   * @param {{holds: () => boolean, anchor: () => Point | null}} actions `holds`: whether a drag
   *   changes a number here; `anchor`: the point that zooming by key keeps fixed, CSS px
   * @param {AbortSignal} signal removes the listeners
   */
  constructor(viewpoint, actions, signal) {
    const { el } = viewpoint;
    this.el = el;
    this.viewpoint = viewpoint;
    this.actions = actions;
    this.nearer = () => this.zoom(STEP);
    this.farther = () => this.zoom(1 / STEP);
    /** Positions of pressed pointers, by their id. @type {Map<number, Point>} */
    this.pressed = new Map();
    this.start = { x: 0, y: 0 };
    this.isDrag = false;
    this.isSpaceDown = false;
    /** Time in ms when the wheel last scrolled the page; the rest of its turn scrolls, too. */
    this.scrolledAt = -PAUSE;
    this.isExplained = false;
    /** The remaining zoom, as a logarithm, and the point around which it zooms. */
    this.easing = { left: 0, x: 0, y: 0, request: 0 };
    for (const type of /** @type {const} */ (["keydown", "keyup"]))
      addEventListener(
        type,
        (event) => {
          this.isSpaceDown = type === "keydown" && event.key === " " && !isTyping(event);
        },
        { signal, capture: true },
      );
    el.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    const scrolls = (/** @type {WheelEvent} */ event) => {
      if (!event.defaultPrevented && !event.ctrlKey) this.scrolledAt = event.timeStamp;
    };
    addEventListener("wheel", scrolls, { signal, passive: true });
    for (const type of ["pointerdown", "focusin"])
      el.addEventListener(type, () => {
        this.scrolledAt = -PAUSE;
      });
    el.addEventListener("pointerdown", (event) => this.down(event));
    // The middle button would scroll the page.
    el.addEventListener("mousedown", (event) => event.button === MIDDLE && event.preventDefault());
    el.addEventListener("pointermove", (event) => this.moved(event));
    // Listen on the window, since a dragged number may have captured the pointer meanwhile.
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(type, (event) => this.up(event), { signal, capture: true });
    // Suppress the click that follows a drag.
    el.addEventListener("click", (event) => this.clicked(event), { capture: true });
    el.addEventListener("dblclick", ({ target, clientX, clientY }) => {
      if (target instanceof Element && target.closest(".word, .written, .silences")) return;
      viewpoint.goNear(clientX, clientY);
    });
  }

  /** @param {{clientX: number, clientY: number}} event */
  place({ clientX, clientY }) {
    return this.viewpoint.inView(clientX, clientY);
  }

  /**
   * Zooms, or pans with Shift, if Ctrl is held or if the picture has the focus and the page is not
   * scrolling already. Otherwise the page scrolls; the first time, a notice explains this.
   * @param {WheelEvent} event
   */
  wheeled(event) {
    const hasFocus = this.el.matches(":focus-within");
    if (!event.ctrlKey && (!hasFocus || event.timeStamp - this.scrolledAt < PAUSE)) {
      const { scrollHeight, clientHeight } = document.documentElement;
      if (hasFocus || this.isExplained || scrollHeight <= clientHeight) return;
      announce("notice", { sentence: HOW });
      this.isExplained = true;
      return;
    }
    event.preventDefault();
    const unit = event.deltaMode ? LINE : 1;
    if (event.shiftKey && !event.ctrlKey) {
      const across = (event.deltaX || event.deltaY) * unit;
      this.viewpoint.moveTo(panned(this.viewpoint.camera, -across, 0));
      return;
    }
    const by = event.deltaY * unit * (event.ctrlKey ? PINCH : WHEEL);
    const { x, y } = this.place(event);
    const left = -Math.max(-0.6, Math.min(0.6, by));
    // The steps of a trackpad need no easing.
    const isSmall = Math.abs(left) < EASE.notch && !this.easing.left;
    this.easing = { ...this.easing, left: this.easing.left + left, x, y };
    if (isSmall || prefersStillness()) this.ease(1);
    else this.easing.request ||= requestAnimationFrame(() => this.ease(EASE.share));
  }

  /** Zooms by a share of the remaining zoom. @param {number} share */
  ease(share) {
    const { viewpoint, easing } = this;
    const { left, x, y } = easing;
    const by = Math.abs(left) < EASE.least ? left : left * share;
    easing.left -= by;
    easing.request = easing.left ? requestAnimationFrame(() => this.ease(share)) : 0;
    viewpoint.moveTo(zoomed(viewpoint.camera, Math.exp(by), x, y, viewpoint.fitted().zoom));
  }

  /** @param {PointerEvent} event */
  down(event) {
    const isPan = event.button === MIDDLE || this.isSpaceDown;
    if (event.button && !isPan) return;
    if (event.target instanceof Element && event.target.closest("button:not(.ribbon-end)")) return;
    if (isPan) event.stopPropagation();
    this.pressed.set(event.pointerId, this.place(event));
    this.start = this.place(event);
    if (this.pressed.size === 1) this.isDrag = false;
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const before = this.pressed.get(event.pointerId);
    if (!before) return;
    const now = this.place(event);
    const { viewpoint } = this;
    if (this.pressed.size === 1) {
      const [dx, dy] = [Math.abs(now.x - this.start.x), Math.abs(now.y - this.start.y)];
      if (!this.isDrag && (Math.hypot(dx, dy) < STILL || this.actions.holds())) return;
      this.begin(event.pointerId);
      viewpoint.moveTo(panned(viewpoint.camera, now.x - before.x, now.y - before.y));
    } else {
      this.begin(event.pointerId);
      const [other] = [...this.pressed].filter(([id]) => id !== event.pointerId);
      const [, still] = other;
      const apart = (/** @type {Point} */ p) =>
        Math.max(12, Math.hypot(p.x - still.x, p.y - still.y));
      const middle = { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 };
      const camera = panned(viewpoint.camera, (now.x - before.x) / 2, (now.y - before.y) / 2);
      const factor = apart(now) / apart(before);
      viewpoint.moveTo(zoomed(camera, factor, middle.x, middle.y, viewpoint.fitted().zoom));
    }
    this.pressed.set(event.pointerId, now);
  }

  /** @param {number} pointer */
  begin(pointer) {
    if (!this.isDrag) this.el.classList.add("pans");
    this.isDrag = true;
    if (!this.el.hasPointerCapture(pointer)) this.el.setPointerCapture(pointer);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.pressed.delete(event.pointerId);
    if (!this.pressed.size) this.el.classList.remove("pans");
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (!this.isDrag) return;
    this.isDrag = false;
    event.stopPropagation();
    event.preventDefault();
  }

  /** @param {number} factor */
  zoom(factor) {
    const { viewpoint, el } = this;
    const { x, y } = this.actions.anchor() ?? { x: el.clientWidth / 2, y: el.clientHeight / 2 };
    // Zoom from the camera at the end of a flight, so that quick presses add up.
    viewpoint.fly(zoomed(viewpoint.resting, factor, x, y, viewpoint.fitted().zoom));
  }

  /** The camera's keys. @returns {KeyBinding[]} */
  get keys() {
    return [
      { keys: ["+", "="], does: "nearer", run: this.nearer },
      { keys: ["-", "_"], does: "farther", run: this.farther },
      { keys: ["0"], does: "all of it in sight", run: () => this.viewpoint.showAll() },
    ];
  }

  remove() {
    cancelAnimationFrame(this.easing.request);
  }
}
