/** Names the part in the middle of the view: `Encoder › layer 1 › self-attention › Q`. */

import { make, setText } from "../../components/shared/dom.js";
import { typeset } from "../../components/shared/katex.js";

/**
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Plan, Rect} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

/** The least share of the view's width that a named part, or a named matrix, takes. */
const PART = 0.3;
const MATRIX = 0.12;
const LONGEST = 14; // letters of the longest matrix name that is shown

/**
 * The stack, part and matrix at a point of the picture.
 * @param {Plan} plan @param {{x: number, y: number}} at
 * @param {number} wide width in sight, in units
 */
function placeAt(plan, at, wide) {
  const away = (/** @type {Rect} */ { x, y, width, height }) =>
    Math.max(x - at.x, at.x - x - width, 0) + Math.max(y - at.y, at.y - y - height, 0);
  const nearest = plan.parts.toSorted((a, b) => away(a) - away(b)).at(0);
  if (!nearest) return null;
  const { entry } = nearest;
  const part = nearest.width >= PART * wide ? entry : null;
  const own = plan.labels.filter(
    (label) => label.part === entry.id && label.path !== undefined && label.over,
  );
  const symbol = own.toSorted((a, b) => away(a.over ?? nearest) - away(b.over ?? nearest)).at(0);
  const isNear = symbol?.over && symbol.over.width >= MATRIX * wide;
  return {
    stack: entry.stack,
    part: part ?? (isNear ? entry : null),
    tex: isNear && (symbol.tex || symbol.text.length <= LONGEST) ? symbol.text : "",
  };
}

export class PlaceLine {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.entry = /** @type {WholeEntry | null} */ (null);
    /** The part in view, if it is near enough to be named. */
    this.part = /** @type {PartEntry | null} */ (null);
    this.words = make("span");
    this.symbol = make("span", { class: "symbol" });
    this.el = make("div", { class: "place-line", hidden: true }, this.words, this.symbol);
  }

  /** @param {WholeEntry | null} entry */
  show(entry) {
    this.entry = entry;
    this.write();
  }

  write() {
    const { entry, el, viewpoint } = this;
    const { plan, isFitted, view, covered, camera } = viewpoint;
    const isIn = entry && plan && view.width && !isFitted;
    const wide = (view.width - covered.left) / camera.zoom;
    const middle = (covered.left + view.width) / 2;
    const at = viewpoint.pointIn(middle, (covered.top + view.height) / 2);
    const place = isIn ? placeAt(plan, at, wide) : null;
    this.part = place?.part ?? null;
    // Write only changes, since the container observes this element.
    if (el.hidden === Boolean(place)) el.hidden = !place;
    if (!entry || !place) return;
    const { part, tex } = place;
    const title = entry.stacks.find((each) => each.stack === place.stack)?.title ?? "";
    const layer = part && part.layer !== null ? [`layer ${part.layer}`] : [];
    const names = [title, ...layer, ...(part ? [part.title] : []), ...(tex ? [""] : [])];
    setText(this.words, names.join(" › "));
    if (this.symbol.hidden === Boolean(tex)) this.symbol.hidden = !tex;
    if (tex)
      show(
        this.symbol,
        tex,
        plan?.labels.some((label) => label.text === tex && label.tex),
      );
  }
}

/** @param {HTMLElement} el @param {string} text @param {boolean | undefined} isTex */
function show(el, text, isTex) {
  if (isTex) typeset(el, text);
  else {
    delete el.dataset.tex;
    setText(el, text);
  }
}
