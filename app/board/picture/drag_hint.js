/**
 * A hint to drag one of the numbers that represent the word in focus. It disappears for good when
 * the picture is first touched, a number is selected or anything is changed. It is hidden while a
 * menu, the settings, the drawer or another number's tooltip is open.
 */

import { make, setAttribute, setText } from "../../components/shared/dom.js";
import { rough } from "../../components/shared/number_format.js";
import { byTouch } from "../../components/shared/touch.js";
import { LineElement } from "../labels/line_element.js";
import { placeNear } from "../labels/near.js";

/**
 * @import {Cell} from "../data/types.js"
 * @import {Place} from "../input/grid.js"
 * @import {Point} from "../labels/boxes.js"
 * @import {GridView} from "../paint/view.js"
 * @import {Ringed} from "../labels/leader_line.js"
 * @import {NearPlace} from "../labels/near.js"
 * @import {Size} from "./camera.js"
 * @import {PictureGrid} from "./picture_grid.js"
 * @import {Tile} from "./tile.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {object} HintedCell
 * @property {Tile} tile
 * @property {number} i @property {number} j
 * @property {string} word of the row
 */

/** Radius and border of the ring in CSS px; it does not reach the words beside the rows. */
const RING = { most: 12, least: 5, finger: 8, border: 3 };
const FINGER = 22; // CSS px around the number in which a touch hits it
const LEAST = 220; // CSS px of height; the hint would cover too much of a lower picture
const NARROW = 1000; // CSS px of the picture's width below which the text is smaller
const UNSAID = 90; // penalty of each shorter wording, in CSS px of line
/** Possible widths of the text in CSS px. */
const WIDTHS = [240, 190, 172, 158, 140, 124, 108, 100, 92, 84, 76, 72, 68];

/**
 * @typedef {{first: string, second: string}} Wording
 * @typedef {{key: string, found: NearPlace | null, at: Point, wording: Wording | null}} Placed the
 *   place and wording of the text, and the state (`key`) and the number's place at that time
 */

export class DragHint {
  /**
   * @param {HTMLElement} picture a press, a key or the wheel in it ends the hint
   * @param {Viewpoint} viewpoint @param {AbortSignal} signal removes a listener
   */
  constructor(picture, viewpoint, signal) {
    this.viewpoint = viewpoint;
    this.placed = /** @type {Placed} */ ({
      key: "",
      found: null,
      at: { x: 0, y: 0 },
      wording: null,
    });
    this.wordings = /** @type {Wording[]} */ ([]);
    /** Sizes of each wording, by its words. @type {Map<string, Size[]>} */
    this.sizes = new Map();
    this.cell = /** @type {HintedCell | null} */ (null);
    this.isOver = false;
    this.ring = make("div", { class: "hinted" });
    this.line = new LineElement();
    this.first = make("strong");
    this.second = make("span");
    this.text = make("div", { class: "drag-hint", role: "note" }, this.first, this.second);
    const attributes = { class: "hint-layer", hidden: true, "data-unrecorded": "" };
    this.el = make("div", attributes, this.line.el, this.ring, this.text);
    const end = () => this.end();
    const selected = (/** @type {{detail: object | null}} */ { detail }) => detail && end();
    document.addEventListener("tinkerformer:selection", selected, { signal });
    for (const type of ["pointerdown", "keydown", "wheel"])
      picture.addEventListener(type, end, { capture: true, once: true, passive: true });
  }

  /** @param {HintedCell | null} cell */
  show(cell) {
    if (this.isOver) return;
    this.cell = cell;
    this.el.hidden = !cell;
    if (!cell) {
      this.claim(null);
      return;
    }
    const { tile, i, j, word } = cell;
    const value = tile.matrix.values?.[i * tile.matrix.cols + j] ?? 0;
    const text = rough(value);
    this.wordings = wordingsOf(word, tile.matrix.cols, text);
    this.write(this.wordings[0]);
    setAttribute(this.text, "aria-label", this.text.textContent);
    this.place();
  }

  /** Places ring, line and text at the number's present place. */
  place() {
    if (!this.cell || this.el.hidden) return;
    const { tile, i, j } = this.cell;
    const { x, y, width, height } = tile.boxOf(i, j);
    const at = { x: x + width / 2, y: y + height / 2 };
    const { covered, view } = this.viewpoint;
    const isInX = at.x > covered.left && at.x < view.width;
    this.el.classList.toggle("away", !isInX || at.y < covered.top || at.y > view.height);
    const first = tile.boxOf(i, 0);
    const aside = at.x - first.x + RING.border;
    const least = byTouch() ? RING.finger : RING.least;
    const radius = Math.max(least, Math.min(RING.most, aside));
    this.ring.style.setProperty("--radius", `${radius.toFixed(1)}px`);
    this.ring.style.transform = `translate(${at.x}px, ${at.y}px)`;
    const found = this.find(ringedOf(tile, i, j, radius));
    this.text.hidden = !found;
    this.line.show(found?.way ?? []);
    this.claim(found);
    if (!found) return;
    this.text.style.transform = `translate(${found.box.x}px, ${found.box.y}px)`;
  }

  /** @param {Wording} wording */
  write({ first, second }) {
    setText(this.first, first);
    setText(this.second, second);
  }

  /**
   * A free place for the text near the number, with the longest wording that has one, or null.
   * @param {Ringed} ringed @returns {NearPlace | null}
   */
  find(ringed) {
    const { viewpoint, text, placed, wordings } = this;
    const { plan, view, stamp, claims } = viewpoint;
    if (!plan || view.height < LEAST) return null;
    const key = `${stamp} ${claims.version} ${textOf(wordings[0])}`;
    if (placed.key === key) {
      if (placed.wording) this.write(placed.wording);
      return placed.found;
    }
    this.el.classList.toggle("narrow", view.width < NARROW);
    text.hidden = false;
    const sizes = wordings.flatMap((wording, k) =>
      // A short wording far from the number is better than a long one beside it.
      this.sizesOf(wording).map((size) => ({ ...size, extra: k * UNSAID + size.height, wording })),
    );
    const before = placed.found && { place: placed.found, at: placed.at };
    const found = placeNear(sizes, { ringed }, view, claims.without("hint", "caption"), before);
    const wording = sizes.find((size) => size === found?.size)?.wording ?? null;
    this.placed = { key, found, at: ringed.at, wording };
    if (found) text.style.width = `${found.box.width}px`;
    if (wording) this.write(wording);
    return found;
  }

  /** The possible sizes of the text. @param {Wording} wording */
  sizesOf(wording) {
    const key = `${this.el.className} ${textOf(wording)}`;
    const known = this.sizes.get(key);
    if (known) return known;
    const { text } = this;
    this.write(wording);
    const sizes = WIDTHS.flatMap((width) => {
      text.style.width = `${width}px`;
      const isWhole = text.scrollWidth <= width;
      return isWhole ? [{ width, height: text.offsetHeight }] : [];
    });
    // The text has no height before it is first shown.
    const shown = sizes.filter(({ height }) => height > 0);
    if (shown.length) this.sizes.set(key, shown);
    return shown;
  }

  /** Moves a touch near the ring to its number. @param {Place} place @returns {Place | null} */
  snap({ clientX, clientY }) {
    if (!this.cell || this.el.hidden) return null;
    const { x, y, width, height } = this.ring.getBoundingClientRect();
    const at = { clientX: x + width / 2, clientY: y + height / 2 };
    return Math.hypot(at.clientX - clientX, at.clientY - clientY) < FINGER ? at : null;
  }

  /** Keeps the text's place free of other labels. @param {NearPlace | null} found */
  claim(found) {
    const isShown = found && !this.el.classList.contains("away");
    this.viewpoint.claims.set("hint", isShown ? [found.box] : []);
  }

  /**
   * Makes way for the tooltip of another number.
   * @param {PictureGrid} view @param {Cell | null} other the cell under the pointer
   */
  yieldTo(view, other) {
    const { cell } = this;
    const isIt = view === cell?.tile && other?.i === cell.i && other.j === cell.j;
    this.el.classList.toggle("yields", other !== null && !isIt);
  }

  end() {
    this.isOver = true;
    this.el.hidden = true;
    this.cell = null;
    this.claim(null);
  }
}

/**
 * A number with a ring, with the boxes of its cell and its matrix.
 * @param {GridView} view @param {number} i @param {number} j @param {number} radius
 * @returns {Ringed}
 */
export function ringedOf(view, i, j, radius) {
  const { rows, cols } = view.matrix;
  const cell = view.boxOf(i, j);
  const [first, last] = [view.boxOf(0, 0), view.boxOf(rows - 1, cols - 1)];
  const matrix = {
    ...{ x: first.x, y: first.y },
    ...{ width: last.x + last.width - first.x, height: last.y + last.height - first.y },
  };
  const gap = rows > 1 ? (matrix.height - rows * cell.height) / (rows - 1) : 0;
  const at = { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 };
  return { at, radius, within: { cell, matrix, gap } };
}

/**
 * The wordings of the hint, the longest first. On a touch screen a number has to be tapped before
 * it can be dragged, since a finger pans.
 * @param {string} word @param {number} count of the numbers of the word @param {string} value
 */
function wordingsOf(word, count, value) {
  const first = byTouch() ? "⟷ Drag me: first tap, then drag. " : "⟷ Drag me. ";
  const quoted = `“\u2068${word}\u2069”`;
  const wordings = [
    { first, second: `I am one of the ${count} numbers that mean ${quoted}: ${value}` },
    { first, second: `One of ${count} numbers of ${quoted}: ${value}` },
    { first, second: `${quoted}: ${value}` },
  ];
  return byTouch() ? [...wordings, { first: first.slice(2), second: "" }] : wordings;
}

/** @param {Wording} wording */
const textOf = ({ first, second }) => first + second;
