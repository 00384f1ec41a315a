/**
 * The whole model as one zoomable picture: the same matrices, orbits, selection and planes as the
 * stages, laid out on the lanes of the tokens. One canvas; a matrix that changes paints only its
 * own place, and everything is painted anew when the camera moves.
 */

import { make, setText } from "../../shared/dom.js";
import { prefersStillness } from "../../shared/motion.js";
import { between, centered, fit, scales, tallOf, within } from "./camera.js";
import { Gestures } from "./gestures.js";
import { paintGround } from "./ground.js";
import { Labels } from "./labels.js";
import { LaneLinks } from "./lane_links.js";
import { LinkKey } from "./link_key.js";
import { nextCell } from "./neighbors.js";
import { planOf } from "./plan.js";
import { Tile } from "./tile.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Lane, LookMessage, PartEntry, WholeEntry} from "../data/types.js"
 * @import {GridServices} from "../paint/overview.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {Camera} from "./camera.js"
 * @import {LinkGrid} from "./link_grid.js"
 * @import {Plan, Rect} from "./plan.js"
 */

const FLIGHT = 420; // ms
const LEAST_HIGH = 180; // CSS px
const NO_LIMITS = { tall: 0.02, deep: 6, most: 28 };
/** CSS px that a number needs across, and downward, at the greatest zoom. */
const NUMBER = 56;
const LINE = 15;
const NEARER = 2.2; // times, by a double click on what is near already
/** CSS px for the words at the ends of the lanes, where all is in sight. */
const ENDS = { left: 60, right: 66 };
const READABLE = 14; // CSS px across a cell that is gone to
const RESOLVES = 7; // CSS px across a cell of a large matrix, from which its own numbers show
const NEAR_MARGIN = 34;
const SETTLED = 250; // ms after the last move of the camera
const TIME_FOR_LINKS = 8; // ms of a display frame, where thousands of links are drawn

/**
 * @typedef {object} WholeActions
 * @property {(indices: number[]) => void} onNear matrices that are in sight
 * @property {(name: "camera" | "followed" | "unfolded", value: (string | number)[] | null) => void}
 *   place the reader is elsewhere
 * @property {(stage: string) => void} read
 * @property {(dx: number, dy: number) => boolean} holds whether a number is dragged, and not the
 *   ground
 * @property {() => void} onFollow another word is followed, or none
 * @property {() => void} onCovered a sheet lies over half of a narrow page
 * @property {() => void} onMoved the camera: rings lie elsewhere
 *
 * @typedef {GridServices & {store: MatrixStore}} WholeServices
 */

export class Whole {
  /** @param {WholeServices} services @param {WholeActions} actions */
  constructor(services, actions) {
    this.services = services;
    this.actions = actions;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.plan = /** @type {Plan | null} */ (null);
    this.tiles = /** @type {Tile[]} */ ([]);
    /** Windows on large matrices, over the blocks that stand for all of them. */
    this.windows = /** @type {{dots: Tile, cells: Tile}[]} */ ([]);
    this.links = /** @type {LaneLinks[]} */ ([]);
    this.camera = /** @type {Camera} */ ({ x: 0, y: 0, zoom: 1, ...NO_LIMITS });
    this.isFitted = true;
    this.view = { width: 0, height: 0 };
    this.box = new DOMRect(); // of the view in the window
    this.ratio = 1;
    this.stamp = 0; // counts up with every move of the camera
    this.stale = true; // everything is to be painted anew
    this.painted = -1; // in which display frame that was
    this.timeOfLinks = 0; // ms, in this display frame
    this.turnOfLinks = -1;
    /** Links for which there was no time: they come first in the next frame. */
    this.late = /** @type {Set<LaneLinks>} */ (new Set());
    this.resolves = RESOLVES;
    this.following = /** @type {Lane | null} */ (null);
    this.flight = 0;
    this.settling = 0;
    /** The part that is being unfolded, or folded. */
    this.goal = /** @type {{id: string, near: boolean} | undefined} */ (undefined);
    this.word = /** @type {string | undefined} */ (undefined); // that is followed
    this.tinted = -1; // up to which of the changes
    this.near = "";
    this.sent = "";
    this.asked = /** @type {number[] | null} */ (null); // a middle and a zoom that were kept
    this.isKept = false; // what is in sight is what a reader had in sight before
    this.current = /** @type {GridView | null} */ (null); // that of the keyboard
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.ctx = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.overlay = make("div", { class: "overlay" });
    this.cell = make("div", { class: "unseen", role: "gridcell", id: "whole-cell" });
    this.row = make("div", { class: "unseen", role: "row" }, this.cell);
    this.labels = new Labels({
      open: (part, isKey) => this.open(part, isKey),
      read: (part) => actions.read(part.stage),
      follow: (lane) => this.follow(lane),
    });
    this.key = new LinkKey(() => this.changed());
    this.grid = make(
      "div",
      {
        class: "picture",
        role: "grid",
        tabindex: 0,
        "aria-label": "The whole model: every token a lane, every number a cell",
        "aria-describedby": "grid-help",
        "aria-activedescendant": "whole-cell",
      },
      this.canvas,
      this.overlay,
      this.row,
    );
    /** @param {string} label @param {string} text @param {() => void} onclick */
    const button = (label, text, onclick) =>
      make("button", { type: "button", "aria-label": label, title: label, onclick }, text);
    const zoom = (/** @type {string} */ key) => () =>
      this.gestures.key(new KeyboardEvent("keydown", { key }));
    this.zooming = make(
      "div",
      { class: "zooming", role: "group", "aria-label": "Zoom" },
      button("Nearer (+)", "+", zoom("+")),
      button("Farther (−)", "−", zoom("-")),
      button("All of it (0)", "⤢", zoom("0")),
    );
    this.el = make(
      "div",
      { class: "whole", hidden: true },
      this.grid,
      this.labels.el,
      this.key.el,
      this.zooming,
    );
    this.gestures = new Gestures(this.el, {
      camera: () => this.camera,
      box: () => this.box,
      least: () => this.fitted().zoom,
      move: (camera) => this.moveTo(camera),
      fly: (camera) => this.fly(camera),
      fit: () => this.showAll(),
      holds: actions.holds,
      near: (event) => this.goNear(event),
    });
    this.grid.addEventListener("keydown", (event) => {
      if (this.gestures.key(event)) event.stopPropagation();
    });
    // Read where the view is when that may have changed, not at every move of the camera.
    for (const type of ["pointerenter", "pointerdown", "focusin"])
      this.el.addEventListener(type, () => this.locate(), { capture: true });
    this.resizing = new ResizeObserver(() => {
      this.fill();
      this.resized();
    });
    // What stands above and below it, too, takes of the window's height.
    const around = document.querySelectorAll(".frame, main");
    for (const el of [this.el, ...around]) this.resizing.observe(el);
    this.refill = () => this.fill();
    addEventListener("resize", this.refill);
    this.sheets = new MutationObserver(this.refill);
    this.sheets.observe(document.documentElement, { attributeFilter: ["class"] });
  }

  // -- structure ----------------------------------------------------------------------------------

  /** @param {WholeEntry | undefined} entry none: something else is shown */
  show(entry) {
    for (const view of [...this.tiles, ...this.links]) view.remove();
    this.tiles = [];
    this.windows = [];
    this.links = [];
    this.late.clear();
    this.entry = entry ?? null;
    this.el.hidden = !entry;
    this.near = "";
    if (!entry) {
      this.plan = null;
      return;
    }
    const { store } = this.services;
    const { byIndex } = store;
    const before = this.plan;
    const plan = planOf(entry, (index) => {
      const { rows, cols, entry: matrix } = byIndex[index];
      return { rows, cols, tex: matrix.tex, whole: matrix.whole };
    });
    this.plan = plan;
    for (const placed of plan.matrices) {
      const matrix = byIndex[placed.index];
      const isDots = matrix.entry.block !== undefined;
      this.tiles.push(new Tile(this, placed, matrix, isDots ? "dots" : "cells"));
    }
    // Windows over their overviews: painted later, and found first.
    for (const tile of [...this.tiles]) {
      const window = byIndex.find(({ entry: { overview } }) => overview === tile.matrix.path);
      if (!window) continue;
      const cells = new Tile(this, tile.placed, window, "cells");
      this.tiles.push(cells);
      this.windows.push({ dots: tile, cells });
    }
    this.links = plan.links.map((placed) => {
      const matrices = placed.item.lanes.map((index) => byIndex[index]);
      return new LaneLinks(this, placed, matrices);
    });
    this.keepLane(entry);
    this.key.show(Math.max(0, ...plan.links.map(({ item }) => item.lanes.length)));
    this.labels.show(entry, plan);
    this.labels.follow(this.following);
    this.arrive(before);
  }

  /**
   * After a new structure: to the part that was unfolded, or back to where all is in sight.
   * @param {Plan | null} before the plan that was shown
   */
  arrive(before) {
    const { plan, goal } = this;
    this.goal = undefined;
    const placeIn = (/** @type {Plan | null} */ of) =>
      of?.parts.find(({ entry }) => entry.id === (goal?.id ?? ""));
    const [old, now] = [placeIn(before), placeIn(plan)];
    if (!goal || !old || !now) {
      if (this.isFitted || !before) this.camera = this.fitted();
      this.changed();
      return;
    }
    // The part stays under the reader's eye while what is round it moves.
    this.put({
      ...this.camera,
      x: this.camera.x + now.x - old.x,
      y: this.camera.y + now.y - old.y,
    });
    if (goal.near) this.goTo(goal.id);
    else this.showAll();
  }

  /** A lane that is no longer there is not followed. @param {WholeEntry} entry */
  keepLane(entry) {
    const { following } = this;
    const lanes = entry.stacks.find(({ stack }) => stack === following?.stack);
    if (following && (!lanes || following.index >= lanes.words.length)) this.following = null;
  }

  /** Grids in the order of the keyboard. @returns {GridView[]} */
  get grids() {
    return [...this.tiles, ...this.links.flatMap(({ grids }) => grids)];
  }

  /**
   * @param {PartEntry} part
   * @param {boolean} isKey pressed by the keyboard, which goes near, too
   */
  open(part, isKey) {
    const { entry } = this;
    if (!entry) return;
    const unfolded = entry.parts.filter((each) => each.unfolded).map(({ id }) => id);
    const isOpen = unfolded.includes(part.id);
    if (part.unfolds && !(isKey && isOpen)) {
      const others = unfolded.filter((id) => id !== part.id);
      this.goal = { id: part.id, near: !isOpen };
      this.actions.place("unfolded", isOpen ? others : [...others, part.id]);
    } else this.goTo(part.id);
  }

  /** Draw what is folded away. @param {string} path of a matrix that is not drawn */
  unfoldFor(path) {
    const part = this.entry?.parts.find(({ id }) => path.startsWith(`${id}.`));
    if (part?.unfolds && !part.unfolded) this.open(part, false);
  }

  /** Where the reader is; its middle, in units of the picture. */
  get look() {
    const { view, following, entry } = this;
    const parts = entry?.parts.filter(({ unfolded }) => unfolded).map(({ id }) => id) ?? [];
    const middle = this.pointIn(view.width / 2, view.height / 2);
    return { ...middle, zoom: this.camera.zoom, isAll: this.isFitted, following, unfolded: parts };
  }

  /** @param {string} id of a part */
  goTo(id) {
    const part = this.plan?.parts.find(({ entry }) => entry.id === id);
    if (part) this.fly(fit(part, this.view, this.limits, NEAR_MARGIN));
  }

  /** @param {Lane | null} lane the one that is to be followed, or no longer */
  follow(lane) {
    const { following } = this;
    const isIt = following?.stack === lane?.stack && following?.index === lane?.index;
    this.following = isIt ? null : lane;
    this.actions.place("followed", isIt || !lane ? null : [lane.stack, lane.index]);
    this.showFollowed();
  }

  showFollowed() {
    this.labels.follow(this.following);
    this.actions.onFollow();
    this.changed();
  }

  /** The word that is followed; other views than this do not know their own. */
  get followed() {
    const { entry, following } = this;
    const lanes = entry?.stacks.find(({ stack }) => stack === following?.stack);
    if (lanes && following) {
      const { words, right } = lanes;
      const written = right[following.index];
      this.word = words[following.index] + (written ? ` → ${written}` : "");
    }
    return this.word;
  }

  // -- camera -------------------------------------------------------------------------------------

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

  showAll() {
    this.fly(this.fitted());
    this.isFitted = true;
  }

  /** @param {Camera} camera */
  moveTo(camera) {
    cancelAnimationFrame(this.flight);
    this.isFitted = false;
    this.put(camera);
  }

  /** @param {Camera} camera */
  put(camera) {
    const next = { ...camera, ...this.limits };
    this.camera = this.plan ? within(next, this.plan, this.view) : next;
    this.changed();
  }

  /** @param {Camera} goal */
  fly(goal) {
    cancelAnimationFrame(this.flight);
    this.isFitted = false;
    const from = this.camera;
    if (prefersStillness()) {
      this.put(goal);
      return;
    }
    let begin = 0;
    const step = (/** @type {number} */ now) => {
      begin ||= now;
      const share = Math.min(1, (now - begin) / FLIGHT);
      this.put(between(from, goal, share * share * (3 - 2 * share), this.view));
      if (share < 1) this.flight = requestAnimationFrame(step);
    };
    this.flight = requestAnimationFrame(step);
  }

  /**
   * To what was pressed twice: its part, or beside all parts everything.
   * @param {MouseEvent} event
   */
  goNear(event) {
    if (
      event.target instanceof Element &&
      event.target.closest(".zooming, .link-key, .word, .written")
    )
      return;
    const { x, y } = this.pointAt(event.clientX, event.clientY);
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

  /** The camera, the size or the structure is another. */
  changed() {
    this.stamp++;
    this.stale = true;
    const [first] = this.tiles;
    if (first) this.services.painter.touch(first);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settled(), SETTLED);
  }

  settled() {
    if (!this.entry) return; // another view is open: what is kept of this one stays
    this.moveWindows();
    this.report();
    const { camera, view } = this;
    const middle = this.pointIn(view.width / 2, view.height / 2);
    const value = this.isFitted || !view.width ? null : [middle.x, middle.y, camera.zoom];
    const key = value?.map((v) => v.toPrecision(5)).join() ?? "";
    if (key === this.sent) return;
    this.sent = key;
    this.actions.place("camera", value);
  }

  /** Where the reader was when this was kept. @param {Omit<LookMessage, "type">} look */
  begin({ camera, followed }) {
    this.isKept = camera !== null;
    this.following = followed && { stack: followed[0], index: followed[1] };
    if (this.entry) this.keepLane(this.entry);
    this.showFollowed();
    this.asked = camera;
    this.isFitted = !camera;
    if (this.view.width) this.answer();
  }

  /** Go to what was asked for, now that the size of the view is known. */
  answer() {
    const [x, y, zoom] = this.asked ?? [0, 0, 0];
    if (this.asked) this.moveTo(centered({ x, y }, zoom, this.view, this.limits));
    else if (this.isFitted) this.camera = this.fitted();
    this.asked = null;
    this.changed();
  }

  /** Tell the server what is in sight. */
  report() {
    if (!this.entry || !this.view.width) return;
    const seen = this.grids.filter((grid) => !(grid instanceof Tile) || grid.isInSight);
    const indices = [...new Set(seen.map(({ matrix }) => matrix.index))];
    const key = `${this.services.store.version} ${indices.join()}`;
    if (key === this.near) return;
    this.near = key;
    this.actions.onNear(indices);
  }

  /** Windows on large matrices go to where the view is near enough. */
  moveWindows() {
    const { width, height } = this.view;
    const middle = this.pointIn(width / 2, height / 2);
    for (const { dots, cells } of this.windows) {
      const { entry, rows, cols } = cells.matrix;
      const { cell, height: high } = cells.place;
      if (!entry.origin || !dots.isInSight || cell * this.camera.zoom < this.resolves) continue;
      const { x, y } = dots.placed;
      const row = Math.round((middle.y - y) / high - rows / 2);
      const column = Math.round((middle.x - x) / cell - cols / 2);
      this.services.viewports.request(entry.origin[0], row, column);
    }
  }

  /** As high as the window leaves room for, so that the page does not scroll. */
  fill() {
    const { el } = this;
    if (!this.entry || !el.clientWidth) return;
    const top = el.getBoundingClientRect().top + scrollY;
    const status = el.parentElement?.querySelector(".status");
    const page = getComputedStyle(document.documentElement);
    const bar = Number.parseFloat(page.getPropertyValue("--bar")) || 0;
    // On a narrow page the inspector is a sheet that comes over the lower half.
    const sheet = document.querySelector(".sheet #right");
    const under = sheet instanceof HTMLElement ? sheet.offsetHeight : 0;
    const below = (status instanceof HTMLElement ? status.offsetHeight : 0) + bar;
    const room = Math.floor(innerHeight - top - Math.max(below, under + bar));
    const height = Math.max(LEAST_HIGH, room);
    if (height !== el.clientHeight) el.style.height = `${height}px`;
  }

  locate() {
    this.box = this.el.getBoundingClientRect();
  }

  resized() {
    const { clientWidth: width, clientHeight: height } = this.el;
    const ratio = devicePixelRatio;
    if (!width || !height || !this.entry) return;
    if (width === this.view.width && height === this.view.height && ratio === this.ratio) return;
    const middle = this.view.width ? this.pointIn(this.view.width / 2, this.view.height / 2) : null;
    this.view = { width, height };
    this.locate();
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    // What was in the middle stays there.
    if (!this.asked && !this.isFitted && middle)
      this.put(centered(middle, this.camera.zoom, this.view, this.limits));
    else this.answer();
    if (document.querySelector(".sheet")) this.actions.onCovered();
  }

  // -- where things are ---------------------------------------------------------------------------

  /** @param {string} stack */
  laneTop(stack) {
    return this.plan?.lanes.get(stack)?.top ?? 0;
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

  /**
   * What a pointer is on.
   * @param {number} clientX @param {number} clientY
   * @returns {GridView | null}
   */
  gridAt(clientX, clientY) {
    const { x, y } = this.inView(clientX, clientY);
    for (let k = this.tiles.length - 1; k >= 0; k--) {
      const tile = this.tiles[k];
      if (tile.isInSight && tile.cellAt(clientX, clientY)) return tile;
    }
    for (const links of this.links) {
      const box = this.boxOf(links.placed.box);
      if (x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height) continue;
      const found = links.at(x, y);
      if (found) return found.grid;
    }
    return null;
  }

  /**
   * The grid of the keyboard: that of the last cell, or the first.
   * @returns {GridView | undefined}
   */
  get active() {
    const { current } = this;
    return current && this.grids.includes(current) ? current : this.tiles.find(isCells);
  }

  /**
   * Have a cell in sight, and large enough to be read.
   * @param {Tile | LinkGrid} grid @param {number} i @param {number} j
   */
  reveal(grid, i, j) {
    this.current = grid;
    const box = grid.boxOf(i, j);
    const { width, height } = this.view;
    const isIn =
      box.x >= 8 &&
      box.y >= 8 &&
      box.x + box.width <= width - 8 &&
      box.y + box.height <= height - 8;
    if (isIn) return;
    const middle = this.pointIn(box.x + box.width / 2, box.y + box.height / 2);
    this.moveTo(centered(middle, this.camera.zoom, this.view, this.limits));
  }

  /**
   * For whoever was led here: a cell that is far away is gone near to.
   * @param {Tile | LinkGrid} grid @param {number} i @param {number} j
   */
  bring(grid, i, j) {
    this.current = grid;
    const box = grid.boxOf(i, j);
    if (grid instanceof Tile && box.width < 2) {
      const middle = this.pointIn(box.x + box.width / 2, box.y + box.height / 2);
      const zoom = (this.camera.zoom * READABLE) / box.width;
      this.moveTo(centered(middle, zoom, this.view, this.limits));
    }
    this.reveal(grid, i, j);
  }

  /** @param {GridView} grid */
  materialize(grid) {
    if (grid !== this.active) return; // one cell stands for all grids
    const { i, j } = grid.active;
    this.row.setAttribute("aria-rowindex", String(i + 1));
    this.cell.setAttribute("aria-colindex", String(j + 1));
    const isSelected = this.services.cursors.isSelected(grid.origin(i, j));
    this.cell.setAttribute("aria-selected", String(isSelected));
    setText(this.cell, grid.sentence(i, j));
  }

  /**
   * The nearest cell of another matrix in a direction.
   * @param {GridView} from @param {number} dy @param {number} dx
   */
  beyond(from, dy, dx) {
    return nextCell(
      this.tiles.filter((tile) => isCells(tile)),
      from,
      dy,
      dx,
    );
  }

  // -- painting -----------------------------------------------------------------------------------

  /** @param {Tile} tile @returns {boolean} */
  paintTile(tile) {
    if (this.stale) return this.paintAll();
    return this.painted !== this.services.painter.turn && tile.paintOn(this.ctx, false);
  }

  /** @param {LaneLinks} links @returns {boolean} */
  paintLinks(links) {
    if (this.stale) return this.paintAll();
    if (this.painted === this.services.painter.turn) return false;
    const { ctx, ratio } = this;
    const { x, y, width, height } = this.boxOf(links.placed.box);
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
    ctx.clearRect(x, y, width, height);
    this.paintUnder();
    const painted = links.paintOn(ctx);
    ctx.restore();
    return painted;
  }

  hasTimeForLinks() {
    const { turn } = this.services.painter;
    if (this.turnOfLinks !== turn) {
      this.turnOfLinks = turn;
      this.timeOfLinks = 0;
    }
    return this.timeOfLinks < TIME_FOR_LINKS;
  }

  paintUnder() {
    const { plan, ctx, camera } = this;
    if (plan) paintGround(ctx, plan, camera, this.services.appearance.theme);
  }

  /** @returns {boolean} */
  paintAll() {
    const { ctx, ratio, plan } = this;
    if (!plan || !this.view.width) return false;
    this.stale = false;
    this.painted = this.services.painter.turn;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintUnder();
    for (const links of this.links) {
      ctx.save();
      links.paintOn(ctx);
      ctx.restore();
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    for (const tile of this.tiles) tile.paintOn(ctx, true);
    if (!this.labels.isMeasured) this.labels.measure();
    this.labels.place(this.camera);
    this.actions.onMoved();
    return true;
  }

  /** After each display frame in which something was painted. */
  written() {
    if (!this.entry) return;
    for (const links of this.late) this.services.painter.touch(links);
    this.late.clear();
    if (this.labels.write(this.services.store)) this.labels.place(this.camera);
    this.tintParts();
  }

  /** How far the last edit moved each part. */
  tintParts() {
    const { trail } = this.services;
    if (this.tinted === trail.changes) return;
    this.tinted = trail.changes;
    /** @type {Map<string, number>} */
    const parts = new Map();
    for (const { placed, matrix } of this.tiles) {
      let most = parts.get(placed.part) ?? 0;
      for (let i = 0; i < matrix.rows; i++) most = Math.max(most, trail.tint(matrix, i));
      parts.set(placed.part, most);
    }
    this.labels.tint(parts);
  }

  remove() {
    this.show(undefined);
    this.resizing.disconnect();
    removeEventListener("resize", this.refill);
    this.sheets.disconnect();
    clearTimeout(this.settling);
    cancelAnimationFrame(this.flight);
  }
}

/** @param {Tile} tile */
const isCells = (tile) => tile.kind === "cells" && tile.isInSight;
