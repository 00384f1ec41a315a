/**
 * The pointer, the wheel, two fingers and the keys on the whole picture: what they do to the
 * camera.
 */

import { announce } from "../../components/shared/announce.js";
import { prefersStillness } from "../../components/shared/motion.js";
import { panned, zoomed } from "./camera.js";

/**
 * @import {KeyBinding} from "../../components/shared/keys.js"
 * @import {Camera} from "./camera.js"
 */

const MIDDLE = 1; // the button of the mouse that pans wherever it is pressed, as with Space
const WHEEL = 0.0016; // of magnification for a px of the wheel
const PINCH = 0.01; // a pinch on a trackpad comes as a wheel with Ctrl, in small steps
const STEP = 1.45;
/** Of what is left of a notch of the wheel, the share of a display frame; and where it ends. */
const EASE = { share: 0.3, least: 0.002, notch: 0.06 };
const LINE = 18; // CSS px of a wheel that counts lines
const STILL = 4; // CSS px that a press may move and be a click
const PAUSE = 400; // ms without a wheel that end one turn of it
const HOW = "The wheel scrolls the page. With Ctrl, or after a press on the picture, it zooms.";

/**
 * @typedef {object} CameraActions
 * @property {() => Camera} camera
 * @property {() => DOMRect} box of the view
 * @property {() => number} least the zoom at which all fits
 * @property {(camera: Camera) => void} move at once
 * @property {(camera: Camera) => void} fly there
 * @property {() => void} fit all
 * @property {() => boolean} holds whether a drag of what is pressed changes a number
 * @property {() => {x: number, y: number} | null} anchor CSS px: cells in sight, which stay where
 *   they are when a key goes nearer
 * @property {(event: MouseEvent) => void} near go near to what was pressed twice
 */

export class Gestures {
  /** @param {HTMLElement} el @param {CameraActions} actions */
  constructor(el, actions) {
    this.el = el;
    this.actions = actions;
    /** Fingers, and where each is. @type {Map<number, {x: number, y: number}>} */
    this.pressed = new Map();
    this.start = { x: 0, y: 0 };
    this.isDrag = false;
    this.isSpaceDown = false;
    /** When the wheel last scrolled the page, in ms: that turn of it goes on to scroll. */
    this.scrolledAt = -PAUSE;
    this.isExplained = false;
    /** The zoom that is still to come. */
    this.easing = { left: 0, x: 0, y: 0, request: 0 };
    this.listening = new AbortController();
    const { signal } = this.listening;
    for (const type of /** @type {const} */ (["keydown", "keyup"]))
      addEventListener(
        type,
        (event) => {
          const isTyped = isTyping(event.composedPath()[0]);
          this.isSpaceDown = type === "keydown" && event.key === " " && !isTyped;
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
    // Whatever has taken the pointer meanwhile, as a number that is dragged, a press is over.
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(type, (event) => this.up(event), { signal, capture: true });
    // After a drag comes a click: it is none.
    el.addEventListener("click", (event) => this.clicked(event), { capture: true });
    el.addEventListener("dblclick", (event) => actions.near(event));
  }

  /** @param {{clientX: number, clientY: number}} event */
  place({ clientX, clientY }) {
    const box = this.actions.box();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /**
   * Scrolls the page, unless Ctrl is held, or the picture has the focus and the page does not
   * scroll already. The first time, it says so.
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
    const { actions } = this;
    if (event.shiftKey && !event.ctrlKey) {
      const across = (event.deltaX || event.deltaY) * unit;
      actions.move(panned(actions.camera(), -across, 0));
      return;
    }
    const by = event.deltaY * unit * (event.ctrlKey ? PINCH : WHEEL);
    const { x, y } = this.place(event);
    const left = -Math.max(-0.6, Math.min(0.6, by));
    // A trackpad's steps are small and even already.
    const isSmall = Math.abs(left) < EASE.notch && !this.easing.left;
    this.easing = { ...this.easing, left: this.easing.left + left, x, y };
    if (isSmall || prefersStillness()) this.ease(1);
    else this.easing.request ||= requestAnimationFrame(() => this.ease(EASE.share));
  }

  /** Zoom by a share of what is still to come. @param {number} share */
  ease(share) {
    const { actions, easing } = this;
    const { left, x, y } = easing;
    const by = Math.abs(left) < EASE.least ? left : left * share;
    easing.left -= by;
    easing.request = easing.left ? requestAnimationFrame(() => this.ease(share)) : 0;
    actions.move(zoomed(actions.camera(), Math.exp(by), x, y, actions.least()));
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
    const { actions } = this;
    if (this.pressed.size === 1) {
      const [dx, dy] = [Math.abs(now.x - this.start.x), Math.abs(now.y - this.start.y)];
      if (!this.isDrag && (Math.hypot(dx, dy) < STILL || actions.holds())) return;
      this.begin(event.pointerId);
      actions.move(panned(actions.camera(), now.x - before.x, now.y - before.y));
    } else {
      this.begin(event.pointerId);
      const [other] = [...this.pressed].filter(([id]) => id !== event.pointerId);
      const [, still] = other;
      const apart = (/** @type {{x: number, y: number}} */ p) =>
        Math.max(12, Math.hypot(p.x - still.x, p.y - still.y));
      const middle = { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 };
      const camera = panned(actions.camera(), (now.x - before.x) / 2, (now.y - before.y) / 2);
      const factor = apart(now) / apart(before);
      actions.move(zoomed(camera, factor, middle.x, middle.y, actions.least()));
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
    const { actions, el } = this;
    const { x, y } = actions.anchor() ?? { x: el.clientWidth / 2, y: el.clientHeight / 2 };
    actions.fly(zoomed(actions.camera(), factor, x, y, actions.least()));
  }

  nearer() {
    this.zoom(STEP);
  }

  farther() {
    this.zoom(1 / STEP);
  }

  /** The camera's keys. @returns {KeyBinding[]} */
  get keys() {
    return [
      { keys: ["+", "="], does: "nearer", run: () => this.nearer() },
      { keys: ["-", "_"], does: "farther", run: () => this.farther() },
      { keys: ["0"], does: "all of it in sight", run: () => this.actions.fit() },
    ];
  }

  remove() {
    this.listening.abort();
    cancelAnimationFrame(this.easing.request);
  }
}

/** Whether a key is a letter there. @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
