/**
 * A hint at one number that means the word in focus, until the picture is first touched, a number
 * is selected or anything is changed. While another number's tooltip, a menu or the drawer shows,
 * it is not in the way.
 */

import { make, setText } from "../../shared/dom.js";
import { decimalText } from "../../shared/number_format.js";
import { byTouch } from "../../shared/touch.js";
import { covers, freePlace, nearestIn, occupied } from "./free_place.js";
import { layStem } from "./stem.js";

/**
 * @import {Cell} from "../data/types.js"
 * @import {Place} from "../input/grid.js"
 * @import {Box} from "../paint/view.js"
 * @import {PictureGrid} from "./picture_grid.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {object} HintedCell
 * @property {Tile} tile
 * @property {number} i @property {number} j
 * @property {string} word of the row
 */

/** CSS px: the radius of the ring, which keeps off the words beside the rows. */
const RING = { most: 12, least: 5, finger: 11, border: 3 };
const FINGER = 22; // CSS px round the number that a finger takes
const LEAST = 220; // CSS px of the picture's height, of which the hint would cover too much
const NARROW = 800; // CSS px of its width, below which the text is smaller
const MEDIUM = 1000; // below which it may be tall
const MOST_CROSSED = 120; // CSS px of the stem over what is not to be covered
/** CSS px that its text may be wide. */
const WIDTHS = { wide: [240, 172, 158], medium: [240, 172, 140], narrow: [190, 150, 124, 108] };

export class DragHint {
  /**
   * @param {HTMLElement} picture a press in it, or a key, ends the hint
   * @param {Viewpoint} viewpoint
   */
  constructor(picture, viewpoint) {
    this.viewpoint = viewpoint;
    this.placed = { key: "", box: /** @type {Box | null} */ (null), crosses: 0 };
    this.cell = /** @type {HintedCell | null} */ (null);
    this.isOver = false;
    this.ring = make("div", { class: "hinted" });
    this.stem = make("div", { class: "stem" });
    this.first = make("strong");
    this.second = make("span");
    this.text = make("div", { class: "drag-hint", role: "note" }, this.first, this.second);
    this.el = make(
      "div",
      { class: "hint-layer", hidden: true, "data-unrecorded": "" },
      this.stem,
      this.ring,
      this.text,
    );
    const end = () => this.end();
    this.listening = new AbortController();
    document.addEventListener(
      "tinkerformer:selection",
      ({ detail }) => {
        if (detail) end();
      },
      { signal: this.listening.signal },
    );
    for (const type of ["pointerdown", "keydown", "wheel"])
      picture.addEventListener(type, end, { capture: true, once: true, passive: true });
  }

  /** @param {HintedCell | null} cell */
  show(cell) {
    if (this.isOver) return;
    this.cell = cell;
    this.el.hidden = !cell;
    if (!cell) return;
    const { tile, i, j, word } = cell;
    const value = tile.matrix.values?.[i * tile.matrix.cols + j] ?? 0;
    const text = decimalText(Number(value.toPrecision(3)));
    // A finger pans until it has selected the number.
    setText(this.first, byTouch() ? "⟷ Drag me: first tap, then drag. " : "⟷ Drag me. ");
    const { cols } = tile.matrix;
    setText(
      this.second,
      `I am one of the ${cols} numbers that mean “\u2068${word}\u2069”: ${text}`,
    );
    this.place();
  }

  /** Where its number is drawn now. */
  place() {
    if (!this.cell || this.el.hidden) return;
    const { tile, i, j } = this.cell;
    const { x, y, width, height } = tile.boxOf(i, j);
    const at = { x: x + width / 2, y: y + height / 2 };
    const { covered, view } = this.viewpoint;
    const isInX = at.x > covered.left && at.x < view.width;
    this.el.classList.toggle("away", !isInX || at.y < covered.top || at.y > view.height);
    const aside = at.x - tile.boxOf(i, 0).x + RING.border;
    const least = byTouch() ? RING.finger : RING.least;
    const radius = Math.max(least, Math.min(RING.most, aside));
    this.ring.style.setProperty("--radius", `${radius.toFixed(1)}px`);
    this.ring.style.transform = `translate(${at.x}px, ${at.y}px)`;
    const box = this.boxNear(at);
    this.text.hidden = this.stem.hidden = !box;
    if (!box) return;
    this.text.style.transform = `translate(${box.x}px, ${box.y}px)`;
    // From afar it would strike through what is between: the ring alone says which it is.
    this.stem.hidden = this.placed.crosses > MOST_CROSSED;
    layStem(this.stem, at, radius, box);
  }

  /**
   * Where its text covers the least; none where it has no room.
   * @param {{x: number, y: number}} at its number, CSS px of the view
   * @returns {Box | null}
   */
  boxNear(at) {
    const { viewpoint, text, placed } = this;
    const { plan, view, stamp } = viewpoint;
    if (!plan || view.height < LEAST) return null;
    const key = `${stamp} ${view.width} ${view.height} ${text.textContent}`;
    if (placed.key === key) return placed.box;
    const isNarrow = view.width < NARROW;
    this.el.classList.toggle("narrow", isNarrow);
    text.hidden = false;
    const size = isNarrow ? "narrow" : view.width < MEDIUM ? "medium" : "wide";
    const sizes = WIDTHS[size].map((width) => {
      text.style.width = `${width}px`;
      return { width, height: text.offsetHeight };
    });
    const boxes = occupied(plan, (rect) => viewpoint.boxOf(rect));
    const box = freePlace(sizes, at, view, boxes);
    text.style.width = `${box?.width ?? 0}px`;
    const crosses = box ? covers(at, nearestIn(box, at), boxes) : 0;
    // Before it is shown it has no height.
    if (sizes.every(({ height }) => height > 0)) this.placed = { key, box, crosses };
    return box;
  }

  /**
   * A finger near the ring means its number.
   * @param {Place} place @returns {Place | null}
   */
  snap({ clientX, clientY }) {
    if (!this.cell || this.el.hidden) return null;
    const { x, y, width, height } = this.ring.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    return Math.hypot(at.clientX - clientX, at.clientY - clientY) < FINGER ? at : null;
  }

  /** What it covers of the view. @returns {Box | null} */
  get box() {
    const isShown = !this.el.hidden && !this.el.classList.contains("away");
    return !isShown || this.text.hidden ? null : this.placed.box;
  }

  /** @param {PictureGrid} view @param {Cell | null} other that is pointed at */
  yieldTo(view, other) {
    const { cell } = this;
    const isIt = view === cell?.tile && other?.i === cell.i && other.j === cell.j;
    this.el.classList.toggle("yields", other !== null && !isIt);
  }

  remove() {
    this.listening.abort();
  }

  end() {
    this.listening.abort();
    this.isOver = true;
    this.el.hidden = true;
    this.cell = null;
  }
}
