/**
 * A small map of the whole picture, with a frame around the visible part; hidden if all is visible.
 * A press or a drag on it moves the view. The map prefers free corners, and stays in the corner
 * that the user chose. If no place is free, the map is smaller and covers as little as possible.
 */

import { make } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { drawn } from "../../components/shared/template.js";
import { place } from "../labels/place.js";
import { contextOf } from "../paint/near_canvas.js";
import { centered } from "./camera.js";

/**
 * @import {Theme} from "../paint/color.js"
 * @import {Box} from "../paint/view.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const SIZES = [176, 112]; // CSS px across
/** The limits of the map's height, as shares of its width. */
const HIGH = { least: 0.34, most: 0.74 };
const LEAST_VIEW = { width: 680, height: 360 }; // CSS px; smaller views have no room for the map
const AWAY = 12; // CSS px from the edges of the view
const BUTTONS = 44; // CSS px of the zoom buttons in the lower right corner
const FRAME = 10; // CSS px of the map's border and padding
const REST_MS = 160; // ms of rest of the camera, after which the map may move to a better place
/** Places as shares of the free room [to the left, above]: corners first, then along the edges. */
const CORNERS = [
  [1, 1],
  [0, 1],
  [1, 0],
  [0, 0],
];
const BETWEEN = 8; // places along an edge
const PLACES = SIZES.flatMap((wide) =>
  [...CORNERS, ...placesBetween()].map(([right, low]) => ({ right, low, wide })),
);
const STEP = 0.25; // share of the view by which an arrow key moves the camera
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
    this.at = 0; // index of the map's place in PLACES
    this.isChosen = false; // whether the user chose the place
    this.resting = 0;
    const stop = (/** @type {Event} */ event) => event.stopPropagation();
    const moved = (/** @type {PointerEvent} */ event) => {
      if (this.el.hasPointerCapture(event.pointerId)) this.go(event);
    };
    const other = "Move the map to another corner";
    this.el = drawn(
      () => html`<div class="small-map" data-unrecorded role="group" tabindex="0" hidden
        aria-label="Map of the whole picture: arrow keys move the view, 0 shows all"
        title="The part of the picture that is in view. Drag it, or press an arrow key, to move."
        @pointerdown=${(/** @type {PointerEvent} */ event) => this.pressed(event)}
        @pointermove=${moved} @dblclick=${stop}>${this.canvas}<button type="button"
        class="other-corner" aria-label=${other} title=${other} @pointerdown=${stop}
        @click=${() => this.choose()}>⤡</button></div>`,
    ).node;
    const run = (/** @type {KeyboardEvent} */ { key }) => this.move(...ARROWS[key]);
    const does = "moves what is in sight";
    bindKeys(this.el, "On the map", [{ keys: Object.keys(ARROWS), does, run }]);
  }

  /** The map's size, and its CSS px per unit. @param {Plan} plan @param {number} [at] */
  scale({ width, height }, at = this.at) {
    const { view, camera } = this.viewpoint;
    const aspect = (height * camera.tall) / Math.max(1, view.width);
    const { wide } = PLACES[at];
    const high = wide * Math.max(HIGH.least, Math.min(HIGH.most, aspect));
    return { wide, high, across: wide / width, down: high / height };
  }

  /** Moves to the next corner, and stays there. */
  choose() {
    this.isChosen = true;
    this.at = this.at < CORNERS.length ? (this.at + 1) % CORNERS.length : 0;
    this.place();
  }

  /** The box of the map at a place, CSS px of the view. @param {number} at @returns {Box} */
  boxIn(at) {
    const { view, covered, plan } = this.viewpoint;
    const { right, low, wide } = PLACES[at];
    const width = wide + FRAME;
    const height = (plan ? this.scale(plan, at).high : 0) + FRAME;
    const buttons = right === 1 && low === 1 ? BUTTONS : 0;
    const [left, top] = [covered.left + AWAY, covered.top + AWAY];
    return {
      x: left + right * (view.width - AWAY - width - left) - buttons,
      y: top + low * (view.height - AWAY - height - top),
      ...{ width, height },
    };
  }

  place() {
    const box = this.boxIn(this.at);
    const { x, y } = box;
    this.viewpoint.claims.set("map", [box]);
    if (this.el.hidden) this.el.hidden = false;
    this.el.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** Moves the map, once the camera rests, to the place where it covers least. */
  settle() {
    const { viewpoint, isChosen, el } = this;
    if (isChosen || el.matches(":hover, :focus-within")) return;
    const places = PLACES.map((_, k) => this.boxIn(k));
    const before = new Map([["map", this.at]]);
    const label = { key: "map", places, priority: 0, mayCover: true };
    const { claims } = viewpoint;
    const placed = place([label], claims.of("numbers"), before, claims.without("map", "numbers"));
    const found = placed.get("map") ?? this.at;
    const isOther = PLACES[found].wide !== PLACES[this.at].wide;
    this.at = found;
    if (isOther) this.draw();
    this.place();
  }

  /** Repaints after the camera has moved. */
  paint() {
    const { viewpoint, el } = this;
    const { plan, view, isFitted } = viewpoint;
    const hasRoom = view.width >= LEAST_VIEW.width && view.height >= LEAST_VIEW.height;
    const [start, end] = [viewpoint.pointIn(0, 0), viewpoint.pointIn(view.width, view.height)];
    const isCut = plan && (end.x < plan.width || end.y < plan.height || start.x > 0 || start.y > 0);
    clearTimeout(this.resting);
    if (!hasRoom || isFitted || !isCut) {
      el.hidden = true;
      viewpoint.claims.set("map", []);
      return;
    }
    this.place();
    this.resting = setTimeout(() => this.settle(), REST_MS);
    this.draw();
  }

  draw() {
    const { viewpoint, ctx, canvas } = this;
    const { plan, view, ratio } = viewpoint;
    if (!plan) return;
    const { wide, high, across, down } = this.scale(plan);
    canvas.width = Math.round(wide * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.width = `${wide}px`;
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
    const [right, bottom] = [Math.min(wide - 1, end.x * across), Math.min(high - 1, end.y * down)];
    ctx.strokeRect(x, y, Math.max(2, right - x), Math.max(2, bottom - y));
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    event.stopPropagation(); // do not drag the picture below
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

  /** @param {number} dx @param {number} dy */
  move(dx, dy) {
    const { viewpoint } = this;
    const { view, camera, limits } = viewpoint;
    const middle = viewpoint.pointIn(
      view.width * (0.5 + dx * STEP),
      view.height * (0.5 + dy * STEP),
    );
    viewpoint.fly(centered(middle, camera.zoom, view, limits));
  }
  remove() {
    clearTimeout(this.resting);
  }
}

/** Places between the corners: along the edges first, from the lower right. */
function placesBetween() {
  const steps = Array.from({ length: BETWEEN + 1 }, (_, k) => 1 - k / BETWEEN);
  const all = steps.flatMap((low) => steps.map((right) => [right, low]));
  const isEdge = (/** @type {number} */ share) => share === 0 || share === 1;
  const edges = (/** @type {number[]} */ place) => place.filter(isEdge).length;
  return all.filter((each) => edges(each) < 2).sort((a, b) => edges(b) - edges(a));
}
