/**
 * Changes a number by dragging it; right and up increase it. A mouse or pen drags immediately, a
 * finger only if the number is selected or after a long press, so that fingers can scroll. A click
 * without a drag only selects.
 */

import { make, setText } from "../../components/shared/dom.js";
import { movingText } from "../../components/shared/number_format.js";
import { CHANGED } from "../data/flags.js";

/**
 * @import {Cell, CellOf} from "../data/types.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {Size} from "../labels/boxes.js"
 * @import {Hit} from "./grid.js"
 * @import {LaneWords} from "../picture/lane_words.js"
 */

/**
 * @typedef {object} ScrubActions
 * @property {(event: PointerEvent) => Hit | null} hit the cell under the pointer
 * @property {(cell: CellOf) => boolean} isSelected
 * @property {() => boolean} isLocked whether numbers cannot be changed
 * @property {() => void} begin called before a number changes
 * @property {(view: GridView, at: Cell, cell: CellOf) => void} select
 * @property {(cell: CellOf) => number | undefined} value the painted number; undefined while the
 *   pass of a large model is computed
 * @property {(cell: CellOf, value: number) => void} set
 * @property {(cell: CellOf) => void} restore restores a cell that was not changed before the drag
 * @property {() => void} unpoint
 * @property {(grip: Grip, sizes: Size[]) => Box | null} freeNear finds and reserves a free place of
 *   one of these sizes, in client px; null if there is none
 * @property {() => void} over releases the place from `freeNear`
 *
 * @typedef {object} Grip the state of a drag
 * @property {GridView} view @property {Cell} at the cell's position in the view
 * @property {CellOf} cell the cell in the whole matrix
 * @property {number} before value before the drag
 * @property {boolean} wasChanged whether the number was changed before the drag
 * @property {[low: number, high: number]} limits @property {number} step change per px
 * @property {number} id of the pointer @property {boolean} touch
 * @property {boolean} waits whether a long press is needed: a finger on a number that is not
 *   selected
 * @property {number} x last position of the pointer @property {number} y
 * @property {number} downX position at the start of the press @property {number} downY
 * @property {number} value the dragged value before rounding
 */

const MOVED = 4; // px of motion after which a press is a drag, or a finger scrolls
const REST_MS = 380;
const LIMIT = 1000; // the largest magnitude that Python accepts
const STEP = 0.02;
const SHARE_STEP = 0.005;
const FINE = 0.1;
/** One px changes a large number by 1/PART of its magnitude. */
const PART = 100;
const ABOVE = { mouse: 44, touch: 72 }; // CSS px above the pointer, if no place is free
const AWAY = 8; // CSS px from the matrix of the number
/** The widths of the bubble to try, in CSS px, and its longest texts. */
const WIDTHS = [330, 210, 150, 104, 98, 92, 86];
const SAMPLE = { number: "−10.250", writes: "after the first “souris”: souris → maison" };

export class Scrub {
  /**
   * @param {HTMLElement} root the board's @param {ScrubActions} actions
   * @param {AbortSignal} signal removes the listeners
   */
  constructor(root, actions, signal) {
    this.root = root;
    this.actions = actions;
    this.grip = /** @type {Grip | null} */ (null);
    this.active = false;
    this.timer = 0;
    this.spot = /** @type {Box | null} */ (null); // of the bubble, in client px
    this.wasDrag = false; // whether the last press became a drag
    this.words = /** @type {LaneWords | null} */ (null); // of the picture
    this.wordsBefore = /** @type {string[]} */ ([]); // the words before the drag
    this.number = make("strong");
    this.writes = make("b");
    this.hint = make("span", {}, "Shift: fine · Esc: as before");
    const lines = [this.number, this.writes, this.hint];
    this.bubble = make("div", { class: "scrub", "aria-hidden": "true" }, ...lines);
    root.addEventListener("pointerdown", (event) => this.pressed(event));
    root.addEventListener("click", (event) => this.clicked(event), { capture: true });
    // While a finger drags a number, it must not scroll or open the context menu.
    root.addEventListener("touchmove", (event) => this.active && event.preventDefault(), {
      passive: false,
    });
    root.addEventListener("contextmenu", (event) => this.grip?.touch && event.preventDefault());
    // Listen on the window, because the matrix may be redrawn during the drag.
    addEventListener("pointermove", (event) => this.moved(event), { signal });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(type, (event) => this.released(event), { signal });
    addEventListener("keydown", (event) => this.key(event), { capture: true, signal });
  }

  /**
   * Shows, beside a dragged number, a word that the drag has changed, and its row.
   * @param {LaneWords} words @param {number} row that the page shows
   */
  tell(words, row) {
    this.words = words;
    if (this.active) setText(this.writes, words.rewritten(this.wordsBefore, row));
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    this.wasDrag = false;
    setText(this.writes, "");
    if (event.button || !event.isPrimary || this.active || this.actions.isLocked()) return;
    this.grip = this.gripAt(event);
    clearTimeout(this.timer);
    if (this.grip?.waits) this.timer = setTimeout(() => this.begin(), REST_MS);
  }

  /**
   * Ignores the click after a drag; WebKit sends it to the element under the pointer. A click by
   * key, whose detail is 0, is never ignored.
   * @param {MouseEvent} event
   */
  clicked(event) {
    if (!this.wasDrag || !event.detail) return;
    this.wasDrag = false;
    event.stopPropagation();
  }

  /** @param {PointerEvent} event @returns {Grip | null} */
  gripAt(event) {
    const { view, cell: on } = this.actions.hit(event) ?? {};
    const at = view?.kind === "cells" ? on : null;
    const { entry, values, flags, cols } = view?.matrix ?? {};
    const cell = at && view?.origin(at.i, at.j);
    if (!view || !cell || !entry || entry.fixed || entry.products || !values || !cols) return null;
    const k = at.i * cols + at.j;
    const before = values[k];
    if (!Number.isFinite(before)) return null;
    const size = 10 ** Math.floor(Math.log10(Math.abs(before) || 1));
    return {
      view,
      at,
      cell,
      before,
      wasChanged: Boolean((flags?.[k] ?? 0) & CHANGED),
      limits: entry.scale === "share" ? [0, 1] : [-LIMIT, LIMIT],
      step: entry.scale === "share" ? SHARE_STEP : Math.max(STEP, size / PART),
      id: event.pointerId,
      touch: event.pointerType === "touch",
      waits: event.pointerType === "touch" && !this.actions.isSelected(cell),
      x: event.clientX,
      y: event.clientY,
      downX: event.clientX,
      downY: event.clientY,
      value: before,
    };
  }

  /** @param {PointerEvent} event */
  moved(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.id) return;
    if (!this.active) {
      const [x, y] = [Math.abs(event.clientX - grip.downX), Math.abs(event.clientY - grip.downY)];
      if (Math.max(x, y) < MOVED) return;
      if (grip.waits) {
        this.drop();
        return;
      }
      this.begin();
    }
    const [low, high] = grip.limits;
    const step = grip.step * (event.shiftKey ? FINE : 1);
    const wish = grip.value + (event.clientX - grip.x - (event.clientY - grip.y)) * step;
    // A value that starts beyond the limits may stay there, but not move farther out.
    grip.value = Math.max(Math.min(low, grip.value), Math.min(Math.max(high, grip.value), wish));
    grip.x = event.clientX;
    grip.y = event.clientY;
    this.put(event.shiftKey);
  }

  /** Whether a drag changes, or would change, a number. */
  get holds() {
    return this.active || (this.grip !== null && !this.grip.waits);
  }

  begin() {
    const { grip } = this;
    if (!grip) return;
    clearTimeout(this.timer);
    this.active = this.wasDrag = true;
    this.wordsBefore = this.words?.texts() ?? [];
    this.actions.unpoint();
    this.actions.begin();
    // On a phone the inspector would cover the cells, so select only after the drag.
    if (!grip.touch) this.actions.select(grip.view, grip.at, grip.cell);
    this.root.setPointerCapture(grip.id);
    this.root.classList.add("scrubbing");
    this.hint.hidden = grip.touch;
    this.root.append(this.bubble);
    this.spot = this.spotOf(grip);
    this.refresh();
  }

  /** @param {boolean} fine */
  put(fine) {
    const { grip } = this;
    if (!grip) return;
    const digits = 10 ** Math.floor(Math.log10(grip.step * (fine ? FINE : 1)) + 1e-9);
    const value = Number((Math.round(grip.value / digits) * digits).toPrecision(9));
    this.actions.set(grip.cell, value);
    this.refresh();
  }

  /**
   * The place of the bubble for the whole drag: a place that covers nothing, or else a place above
   * or below the number's matrix.
   * @param {Grip} grip @returns {Box | null} in client px
   */
  spotOf(grip) {
    const { bubble, hint, actions } = this;
    const { hidden } = hint;
    let height = 0;
    // Try with the hint on keys first, then without the hint.
    for (const isBrief of [hidden, true]) {
      hint.hidden = isBrief;
      const sizes = this.sizes();
      const free = actions.freeNear(grip, sizes);
      bubble.style.width = free ? `${free.width}px` : "";
      if (free) return free;
      height = sizes[0].height;
    }
    hint.hidden = hidden;
    return this.beyond(grip, { width: WIDTHS[0], height });
  }

  /** The sizes of the bubble with its longest texts. */
  sizes() {
    const { bubble } = this;
    setText(this.number, SAMPLE.number);
    setText(this.writes, SAMPLE.writes);
    const found = WIDTHS.map((width) => {
      bubble.style.width = `${width}px`;
      return { width, height: bubble.offsetHeight, isWhole: bubble.scrollWidth <= width };
    });
    bubble.style.width = "";
    setText(this.writes, "");
    return found.filter(({ isWhole }, k) => isWhole || k === 0);
  }

  /**
   * A place above the matrix, or else below it.
   * @param {Grip} grip @param {Size} size @returns {Box | null}
   */
  beyond({ view, at }, { width, height }) {
    const { rows } = view.matrix;
    const sheet = view.sheet.getBoundingClientRect();
    const root = this.root.getBoundingClientRect();
    const cell = view.boxOf(at.i, at.j);
    const [first, last] = [view.boxOf(0, at.j), view.boxOf(rows - 1, at.j)];
    const above = sheet.y + first.y - AWAY - height;
    const below = sheet.y + last.y + last.height + AWAY;
    const end = Math.min(root.bottom, innerHeight) - AWAY;
    const y = above > Math.max(root.top, 0) ? above : below + height < end ? below : null;
    if (y === null) return null;
    const middle = sheet.x + cell.x + cell.width / 2;
    const x = Math.max(root.left + 4, Math.min(middle - width / 2, root.right - width - 4));
    return { x, y, width, height };
  }

  /** Shows the painted number beside the pointer or at its place. */
  refresh() {
    const { grip, spot } = this;
    if (!grip || !this.active) return;
    setText(this.number, movingText(this.actions.value(grip.cell) ?? grip.value));
    const box = this.root.getBoundingClientRect();
    const width = this.bubble.offsetWidth;
    const x = Math.max(4, Math.min(grip.x - box.x - width / 2, box.width - width - 4));
    const y = grip.y - box.y - (grip.touch ? ABOVE.touch : ABOVE.mouse);
    const at = spot ? { x: spot.x - box.x, y: spot.y - box.y } : { x, y };
    this.bubble.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)`;
  }

  /** @param {PointerEvent} event */
  released(event) {
    if (this.grip && event.pointerId === this.grip.id) this.drop();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { grip } = this;
    if (!this.active || !grip || event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (grip.wasChanged) this.actions.set(grip.cell, grip.before);
    else this.actions.restore(grip.cell);
    this.drop();
  }

  drop() {
    clearTimeout(this.timer);
    const { grip } = this;
    if (this.active && grip?.touch) this.actions.select(grip.view, grip.at, grip.cell);
    if (this.active) this.actions.over();
    this.active = false;
    this.grip = this.spot = null;
    this.root.classList.remove("scrubbing");
    this.bubble.remove();
  }
}
