/**
 * The labels of the whole picture: headings over its parts, words at the ends of its lanes, words
 * of the lens, badges and names of columns. All labels are placed together, so that no label covers
 * another. Most are elements over the canvas: sharp at any zoom, clickable and accessible.
 */

import { make } from "../../components/shared/dom.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { place } from "../labels/place.js";
import { centered } from "./camera.js";
import { Headings } from "./headings.js";
import { LaneWords } from "./lane_words.js";
import { obstaclesIn } from "./obstacles.js";

/**
 * @import {MatrixStore} from "../data/matrix_store.js"
 * @import {Lane, PartEntry, WholeEntry} from "../data/types.js"
 * @import {Label} from "../labels/place.js"
 * @import {Box} from "../paint/view.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

/**
 * @typedef {object} LabelActions
 * @property {(part: PartEntry, far: boolean) => void} open called when the title of a part is
 *   pressed; `far`: whether by keyboard
 * @property {(part: PartEntry) => void} read shows a part as formulas
 * @property {(lane: Lane) => void} follow
 *
 * @typedef {Label & {show: (at: number | undefined) => void}} Placeable `show`: puts the label at
 *   one of its places; undefined: hides it
 *
 * @typedef {object} Sight what is in sight
 * @property {Camera} camera @property {Size} view
 * @property {number} left CSS px that words take at the left edge
 * @property {number} top CSS px that pinned headings take at the upper edge
 *
 * @typedef {{labels(sight: Sight): Placeable[]}} Source of labels
 */

const REST_MS = 120; // ms of rest of the camera, after which Tab stops are updated
const BUTTONS = 9.5; // priority of the zoom buttons, below that of the words beside rows

export class Labels {
  /**
   * @param {Viewpoint} viewpoint @param {() => string} font family of text
   * @param {LabelActions} actions @param {Source[]} others other sources of labels
   */
  constructor(viewpoint, font, actions, others) {
    this.viewpoint = viewpoint;
    this.others = others;
    /** The index of each label's place, by key. @type {Map<string, number>} */
    this.placed = new Map();
    this.el = make("div", { class: "labels" });
    /** Backgrounds of words pinned at the left and headings pinned at the top. */
    this.gutter = make("div", { class: "gutter", hidden: true });
    this.band = make("div", { class: "band", hidden: true });
    this.headings = new Headings(actions, font, () => this.renew());
    this.words = new LaneWords(font, actions.follow);
    this.isMeasured = false;
    this.isWaiting = false;
    this.groups = [
      group("Words that are read", "down"),
      group("Parts", "across"),
      group("Words that are written", "down"),
    ];
    /** Timer: headings change with the camera, so Tab stops are updated when it rests. */
    this.resting = 0;
    // A word with the keyboard focus is shown even without room.
    this.el.addEventListener("focusin", ({ target }) => this.reached(target));
    this.el.addEventListener("focusout", () => this.place());
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    const focused = this.focusedName();
    this.placed = new Map();
    this.headings.show(entry, plan);
    this.words.show(entry, plan);
    const groups = [this.words.words, this.headings.all, this.words.written];
    const all = groups.flat();
    for (const [k, { el }] of this.groups.entries()) fill(el, groups[k]);
    const edges = [this.gutter, this.band].map((el) => ({ el }));
    fill(this.el, [...edges, ...this.groups, ...this.words.notes]);
    if (focused) {
      const again = all.find(({ el }) => el.getAttribute("aria-label") === focused);
      again?.el.focus({ preventScroll: true });
    }
    this.isMeasured = false;
  }

  /** Replaces the words in the same places. @param {WholeEntry} entry */
  rename(entry) {
    this.words.rename(entry);
    this.place();
  }

  /** The accessible name of the focused label, to restore the focus after a rebuild. */
  focusedName() {
    const root = /** @type {Document | ShadowRoot} */ (this.el.getRootNode());
    const at = root.activeElement;
    return at instanceof HTMLElement && this.el.contains(at) ? at.getAttribute("aria-label") : null;
  }

  /**
   * Reads the widths of all labels once, when they are shown; afterwards labels are only moved and
   * scaled. In a hidden view labels have no width.
   * @returns {boolean} whether the widths are known
   */
  measure() {
    if (this.isMeasured) return true;
    if (!this.el.offsetWidth) return false;
    this.headings.measure();
    this.isMeasured = true;
    return true;
  }

  /** Measures and places all labels again. */
  renew() {
    this.headings.forget();
    this.isMeasured = false;
    this.place();
  }

  /**
   * Keeps headings in place and words hidden while the previous picture is still shown.
   * @param {boolean} isWaiting
   */
  wait(isWaiting) {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.el.classList.toggle("waits", isWaiting);
    if (!isWaiting) this.place();
  }

  /** Places all labels for the present camera; does nothing while labels are hidden or wait. */
  place() {
    if (this.isWaiting || !this.measure()) return;
    const { camera, view, namesColumns, isQuiet } = this.viewpoint;
    const { claims, plan } = this.viewpoint;
    if (plan) claims.set("numbers", obstaclesIn(plan, camera));
    const left = this.words.place(camera);
    const top = this.headings.find({ camera, view, left, namesColumns, isQuiet });
    const sight = { camera, view, left, top };
    const others = this.others.flatMap((source) => source.labels(sight));
    const zoom = claims.of("zoom").map((box) => fixed("zoom", box));
    const before = [...this.words.labels(), ...zoom];
    const numbers = claims.of("numbers");
    let headings;
    let labels;
    let placed;
    do {
      headings = this.headings.labels();
      labels = [...before, ...headings, ...others];
      placed = place(labels, numbers, this.placed);
    } while (this.headings.shortens(headings, placed));
    this.placed = placed;
    for (const label of labels) label.show(this.placed.get(label.key));
    this.words.cover(camera, top, view);
    this.viewpoint.covered = { left, top };
    const boxes = labels.flatMap(({ key, places, avoids }) => {
      const box = places[this.placed.get(key) ?? -1];
      return !box || avoids === "nothing" ? [] : [box];
    });
    const edges = [
      { x: 0, y: 0, width: left, height: left && view.height },
      { x: 0, y: 0, width: top && view.width, height: top },
    ];
    claims.set("labels", [...boxes, ...edges]);
    this.gutter.hidden = left === 0;
    this.gutter.style.width = `${left.toFixed(1)}px`;
    this.band.hidden = top === 0;
    this.band.style.height = `${top}px`;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rove(), REST_MS);
  }

  /** Updates the groups, each of which is one Tab stop. */
  rove() {
    for (const { stop } of this.groups) stop.renew();
  }

  /** Moves the camera to a focused label outside the view. @param {unknown} target */
  reached(target) {
    this.place();
    if (!(target instanceof HTMLElement)) return;
    const { viewpoint, el } = this;
    const box = target.getBoundingClientRect();
    const home = el.getBoundingClientRect();
    const { left, top } = viewpoint.covered;
    const isAside =
      !target.matches(".sticks") && (box.left < home.left + left || box.right > home.right);
    const isAbove = !target.matches(".pinned") && box.top < home.top + top;
    if (!isAside && !isAbove && box.bottom <= home.bottom) return;
    const { width, height } = viewpoint.view;
    const x = isAside ? box.left + box.width / 2 - home.left : width / 2;
    const y =
      isAbove || box.bottom > home.bottom ? box.top + box.height / 2 - home.top : height / 2;
    const { camera, view, limits } = viewpoint;
    viewpoint.fly(centered(viewpoint.pointIn(x, y), camera.zoom, view, limits));
  }

  /** Shows what the model would write now. @param {MatrixStore} store @param {boolean} trains */
  write(store, trains) {
    if (this.words.write(store, trains)) this.place();
  }

  /** @param {Lane | null} lane of the number under the pointer */
  point(lane) {
    this.words.point(lane);
    if (lane && this.words.isThinned) this.place();
  }

  /**
   * @param {(lane: Lane, end: "read" | "written") => number | null} strengthOf
   * @param {Lane | null} first the lane whose word is read most
   */
  emphasize(strengthOf, first) {
    if (this.words.emphasize(strengthOf, first)) this.place();
  }

  remove() {
    clearTimeout(this.resting);
    this.headings.remove();
  }
}

/** A label with a single place. @param {string} key @param {Box} box @returns {Placeable} */
const fixed = (key, box) => ({
  ...{ key, places: [box], priority: BUTTONS, avoids: "nothing" },
  show() {},
});

/**
 * Replaces the labels in an element. Unchanged leading labels stay, to avoid a layout.
 * @param {HTMLElement} el @param {{el: HTMLElement}[]} labels
 */
function fill(el, labels) {
  const children = labels.map((label) => label.el);
  const other = children.findIndex((child, k) => el.children[k] !== child);
  const from = other < 0 ? children.length : other;
  while (el.children.length > from) el.lastElementChild?.remove();
  el.append(...children.slice(from));
}

/** A toolbar of labels. @param {string} name @param {"across" | "down"} way */
function group(name, way) {
  const orientation = way === "down" ? "vertical" : null;
  const attributes = { role: "toolbar", "aria-label": name, "aria-orientation": orientation };
  const el = make("div", attributes);
  // Queried when the camera rests, not observed: typeset symbols have very many elements.
  const items = () => [...el.querySelectorAll("button")];
  return { el, stop: new OneStop(el, `On ${name.toLowerCase()}`, { way, items, watches: false }) };
}
