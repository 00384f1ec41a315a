/**
 * A small map of the whole picture in a corner, with what is seen of it framed, while that is not
 * all of it. A press or a drag on it moves the view.
 */

import { make } from "../../shared/dom.js";
import { contextOf } from "../paint/near_canvas.js";
import { centered } from "./camera.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const WIDE = 176; // CSS px
const HIGH = { least: 60, most: 130 };
const LEAST_VIEW = { width: 680, height: 360 }; // CSS px; in smaller views it has no room
const STEP = 0.25; // of the view, by an arrow key
/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class SmallMap {
  /** @param {Viewpoint} viewpoint @param {() => Theme} theme */
  constructor(viewpoint, theme) {
    this.viewpoint = viewpoint;
    this.theme = theme;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.ctx = contextOf(this.canvas);
    this.el = make(
      "div",
      {
        class: "small-map",
        role: "group",
        tabindex: 0,
        hidden: true,
        "aria-label": "Map of the whole picture: arrow keys move the view, 0 shows all",
        title: "What is in sight of the whole picture. Drag, or press an arrow key, to move.",
        onpointerdown: (/** @type {PointerEvent} */ event) => this.pressed(event),
        onpointermove: (/** @type {PointerEvent} */ event) => {
          if (this.el.hasPointerCapture(event.pointerId)) this.go(event);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
        ondblclick: (/** @type {MouseEvent} */ event) => event.stopPropagation(),
      },
      this.canvas,
    );
  }

  /** CSS px of the map a unit of the picture. @param {Plan} plan */
  scale({ width, height }) {
    const { view, limits } = this.viewpoint;
    const aspect = (height * limits.tall) / Math.max(1, view.width);
    const high = Math.max(HIGH.least, Math.min(HIGH.most, WIDE * aspect));
    return { high, across: WIDE / width, down: high / height };
  }

  /** After the camera has moved. */
  paint() {
    const { viewpoint, ctx, canvas, el } = this;
    const { plan, view, isFitted, ratio } = viewpoint;
    const hasRoom = view.width >= LEAST_VIEW.width && view.height >= LEAST_VIEW.height;
    const isShown = Boolean(plan) && hasRoom && !isFitted;
    if (el.hidden === isShown) el.hidden = !isShown;
    if (!plan || !isShown) return;
    const { high, across, down } = this.scale(plan);
    canvas.width = Math.round(WIDE * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.width = `${WIDE}px`;
    canvas.style.height = `${high}px`;
    ctx.setTransform(ratio * across, 0, 0, ratio * down, 0, 0);
    const theme = this.theme();
    ctx.fillStyle = theme.blockAttention;
    for (const { box } of plan.links) ctx.fillRect(box.x, box.y, box.width, box.height);
    ctx.fillStyle = theme.lineStrong;
    ctx.globalAlpha = 0.55;
    for (const { x, y, cell, height, rows, cols } of plan.matrices)
      ctx.fillRect(x, y, cell * cols, height * rows * 0.94);
    ctx.globalAlpha = 1;
    const [start, end] = [viewpoint.pointIn(0, 0), viewpoint.pointIn(view.width, view.height)];
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 2;
    const [x, y] = [Math.max(1, start.x * across), Math.max(1, start.y * down)];
    const [right, bottom] = [Math.min(WIDE - 1, end.x * across), Math.min(high - 1, end.y * down)];
    ctx.strokeRect(x, y, Math.max(2, right - x), Math.max(2, bottom - y));
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    event.stopPropagation(); // the picture under it is not dragged
    if (event.button) return;
    this.el.setPointerCapture(event.pointerId);
    this.go(event);
  }

  /** @param {PointerEvent} event */
  go({ clientX, clientY }) {
    const { plan } = this.viewpoint;
    if (!plan) return;
    const box = this.canvas.getBoundingClientRect();
    const { across, down } = this.scale(plan);
    this.viewpoint.center({ x: (clientX - box.left) / across, y: (clientY - box.top) / down });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { viewpoint } = this;
    const { view, camera, limits } = viewpoint;
    const [dx, dy] = arrow;
    const middle = viewpoint.pointIn(
      view.width * (0.5 + dx * STEP),
      view.height * (0.5 + dy * STEP),
    );
    viewpoint.fly(centered(middle, camera.zoom, view, limits));
  }
}
