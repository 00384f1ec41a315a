/**
 * The headings over the parts of the whole picture: titles, what a part does, symbols and formulas.
 * When the camera is near, headings of what is in sight are pinned at the upper edge of the view.
 */

import { make, setText } from "../../components/shared/dom.js";
import { ideaLinks } from "../../components/shared/idea_links.js";
import { typeset } from "../../components/shared/katex.js";
import { html } from "../../components/shared/lit-html.js";
import { spoken } from "../../components/shared/spoken_math.js";
import { drawn } from "../../components/shared/template.js";
import { textWidth } from "../paint/layout.js";
import { PHONE_WIDTH, placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import { HEAD, partName } from "./plan.js";

/**
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Placeable} from "./labels.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Label, Plan} from "./plan.js"
 */

/** Size of letters and lines in CSS px, before scaling. */
const BASE = 13;
const LINE = 20;
const LEGIBLE = 11.5; // CSS px of the smallest letters
const QUIET = 13; // the same while weights and symbols are left out
/** The same for kinds that have their own. @type {Partial<Record<Label["kind"], number>>} */
const LEAST = { vector: 13, formula: 13, add: 6 }; // the sign ⊕ itself is painted on the canvas
/** Kinds with larger numbers are placed first. */
const PRIORITY = {
  ...{ stack: 9, part: 8, close: 7.9, read: 7, strip: 6, words: 5, step: 4, symbol: 3 },
  ...{ vector: 2, sign: 1, formula: 1, add: 0 },
};
/** Sizes relative to that of titles. @type {Partial<Record<Label["kind"], number>>} */
const SIZES = { symbol: 0.86, words: 0.94, strip: 0.94, step: 0.9 };
/** Fonts without family, if unusual. @type {Partial<Record<Label["kind"], string>>} */
const FONTS = { part: "600 13px", stack: "680 13px" };
const SPACED = 0.78; // CSS px of letter spacing in the name of a stack
const PADDED = 10; // CSS px of padding of a title
const TIGHT = 1.03; // largest size of letters, as a share of the height of their line
const STRETCH = 1.12; // largest horizontal stretch of the picture that letters follow
const LIFT = 0.85; // share of a line by which a symbol is raised if its line is full
/** Top and bottom of the letters, as shares of a line. */
const LETTERS = { top: 0.22, bottom: 0.82 };
/** The share of its room that a label may take. @type {Partial<Record<Label["kind"], number>>} */
const BETWEEN = { formula: 0.92, words: 0.98 };
/** CSS px that a title wider than its part may be moved right, and a title may be moved down. */
const ASIDE = [0, 2, 4, 6, 8, 10, 12, 14];
const DOWN = [0, 3, 6];
const WIDER = 1.3; // largest width of a label, relative to its room
const FITS = 0.5; // added to the priority of a label no wider than its room
const APART = { symbol: 0, sign: 0, part: 0 }; // CSS px kept free at each side, by kind
const APART_ELSE = 3; // the same for all other kinds
/** Short names of parts, if there is no room for the title. */
const SHORT = {
  input: "embed",
  attention: "attn",
  cross: "cross-attn",
  feed_forward: "FFN",
  norm: "norm",
  output: "next",
};
const SEEN = 24; // CSS px of a cut part that must be in sight for its title to be at the edge
const READ_AWAY = 12; // CSS px from a title to the button beside it
const LEAST_ROOM = 6; // CSS px; a smaller part or matrix has no label
const MAY_CUT = 1; // CSS px of a label that an edge of the view may cut off
/** CSS px between the name of a stack and the edge of the view, where a film shows words. */
const CORNER = { phone: 14, other: 8 };

/**
 * The band of pinned headings at the upper edge of the view, in CSS px: tops of titles, symbols and
 * names of columns, height of a line, height of the band, and its height without those names.
 */
export const BAND = { title: 2, symbol: 23, columns: 42, line: 15, height: 57, without: 44 };
/** CSS px of the named object that must be in sight below its pinned heading. */
export const IN_SIGHT = 12;
const LEAST_VIEW = 150; // CSS px; lower views have no room for pinned headings

/**
 * @typedef {{text: string, wide: number}} Wording `wide`: unscaled width, CSS px
 *
 * @typedef {object} Heading
 * @property {HTMLElement} el
 * @property {Label} label
 * @property {string} says what it says, wherever it stands
 * @property {number} wide CSS px as it is set
 * @property {boolean} isMeasured whether that is known: of text always
 * @property {boolean} isInLine whether it names strips or weights beside each other
 * @property {boolean} isSecond whether it is every second of these
 * @property {Wording[]} wordings the title of a part: in full, with a word cut, and in short
 *
 * @typedef {object} HeadingPlace
 * @property {number} x @property {number} y CSS px of the view
 * @property {number} scale @property {number} wide CSS px as it is set
 * @property {boolean} isPinned @property {boolean} [isAside] beside what is seen of its part
 * @property {boolean} [mayPin] whether it may stay at the upper edge
 * @property {Wording} [wording]
 *
 * @typedef {readonly (HeadingPlace | null)[]} Candidates the places of a heading, each of which has
 *   the same index whatever is in sight; null: it is not possible now
 *
 * @typedef {Placeable & {all: Candidates}} FoundLabel
 *
 * @typedef {object} HeadingActions
 * @property {(part: PartEntry, far: boolean) => void} open called when the title of a part is
 *   pressed; `far`: by key
 * @property {(part: PartEntry) => void} read shows a part as formulas
 */

export class Headings {
  /**
   * @param {HeadingActions} actions @param {() => string} font family of text
   * @param {() => void} onResize called when a typeset symbol has got another width
   */
  constructor(actions, font, onResize) {
    this.actions = actions;
    this.font = font;
    this.all = /** @type {Heading[]} */ ([]);
    /** The candidate places of each heading, and the same without those out of sight. */
    this.wantedPlaces = /** @type {Candidates[]} */ ([]);
    this.free = /** @type {Candidates[]} */ ([]);
    /** The index of the titles' wording, by the row of the titles. @type {Map<number, number>} */
    this.forms = new Map();
    this.zoom = 1;
    this.lanesLeft = 0; // left end of the lanes, in units
    /** Watches symbols, whose width changes when their fonts are loaded. */
    this.observer = new ResizeObserver((entries) => {
      const isNews = entries.some(({ target }) => {
        const heading = this.all.find(({ el }) => el === target);
        const { offsetWidth } = /** @type {HTMLElement} */ (target);
        return heading && offsetWidth > 0 && heading.wide !== offsetWidth;
      });
      if (isNews) onResize();
    });
  }

  /** @param {WholeEntry} entry @param {Plan} plan */
  show(entry, plan) {
    const parts = new Map(entry.parts.map((part) => [part.id, part]));
    this.lanesLeft = Math.min(...[...plan.lanes.values()].map(({ left }) => left));
    this.observer.disconnect();
    /** Names of strips and weights so far, of each line of a part. @type {Map<string, number>} */
    const counts = new Map();
    /** @type {Map<string, Heading[]>} */
    const before = new Map();
    for (const each of this.all) before.set(each.says, [...(before.get(each.says) ?? []), each]);
    this.all = plan.labels.map((label) => {
      const part = parts.get(label.part);
      const says = saysOf(label, part);
      const { kind } = label;
      const isInLine = kind === "symbol" || (kind === "strip" && part?.unfolded === true);
      const line = `${label.part} ${label.y}`;
      const count = isInLine ? (counts.get(line) ?? 0) : 0;
      if (isInLine) counts.set(line, count + 1);
      const own = { label, isInLine, isSecond: count % 2 === 1 };
      // Of another sentence most headings are the same; typeset symbols are dear to lay out.
      const same = before.get(says)?.shift();
      if (same) return { ...same, ...own };
      const wordings = part && label.kind === "part" ? this.wordingsOf(label.text, part) : [];
      const el = this.element(label, part);
      if (label.path) el.dataset.path = label.path;
      const isMeasured = !label.tex && !isButton(kind);
      const wide = isMeasured ? this.widthOf(label.kind, label.text) : 1;
      return { ...own, says, el, wide, isMeasured, wordings };
    });
    for (const { label, el } of this.all) if (label.tex) this.observer.observe(el);
  }

  /** @param {Label} label @param {PartEntry | undefined} part */
  element(label, part) {
    const { kind, text, tex } = label;
    if (kind === "part" && part) return this.title(text, part);
    if (kind === "close" && part) return this.closing(part);
    if (kind === "read" && part) return this.reading(part);
    const el = make("span", { class: `label ${kind}` });
    if (tex) typeset(el, text);
    else el.textContent = text;
    const { meaning } = label;
    if (meaning) {
      el.title = label.symbol ? `${spoken(label.symbol)}: ${meaning}` : meaning;
      el.setAttribute("role", "img");
      const name = tex
        ? spoken(text)
        : [text, spoken(label.symbol ?? "")].filter(Boolean).join(", ");
      el.setAttribute("aria-label", `${name}: ${meaning}`);
    }
    if (label.backward) el.dataset.backward = label.backward;
    return el;
  }

  /** @param {PartEntry} part */
  closing(part) {
    const name = `${partName(part)} of the ${part.stack}`;
    return drawn(
      () => html`<span class="label close"><button type="button" class="read-as"
        aria-label="Close ${name}" title="Fold it again"
        @click=${() => this.actions.open(part, false)}>× close</button></span>`,
    ).node;
  }

  /** @param {PartEntry} part */
  reading(part) {
    const name = `${partName(part)} of the ${part.stack}`;
    return drawn(
      () => html`<span class="label read"><button type="button" class="read-as"
        aria-label="Read ${name} as formulas"
        title="The same numbers as formulas with explanations; the key F leads back"
        @click=${() => this.actions.read(part)}>as formulas →</button
      >${ideaLinks(part.ideas, "read-as")}</span>`,
    ).node;
  }

  /** @param {string} text @param {PartEntry} part */
  title(text, part) {
    const { unfolds, unfolded, weights } = part;
    const count = weights ? ` · ${weights.toLocaleString("en")} weights` : "";
    const how = unfolded ? "Fold it again" : "Unfold every step of it";
    return make(
      "button",
      {
        type: "button",
        class: "label title",
        "aria-label": `${text}, part of the ${part.stack}`,
        "aria-expanded": unfolds ? String(unfolded) : null,
        title: unfolds ? `${text}${count}. ${how}; Enter goes near.` : `${text}${count}`,
        // Pressing Enter on a button gives a click with detail 0.
        onclick: (/** @type {MouseEvent} */ event) => this.actions.open(part, event.detail === 0),
      },
      text,
    );
  }

  /** The unscaled width of a text in CSS px. @param {Label["kind"]} kind @param {string} text */
  widthOf(kind, text) {
    const font = `${FONTS[kind] ?? "13px"} ${this.font()}`;
    if (kind !== "stack") return textWidth(text, font);
    return textWidth(text.toUpperCase(), font) + SPACED * text.length;
  }

  /**
   * The wordings of a part's title, from full to short, with the number of its layer.
   * @param {string} title @param {PartEntry} part @returns {Wording[]}
   */
  wordingsOf(title, { kind, layer, stack, unfolds }) {
    const brief = kind === "output" && stack === "encoder" ? "word" : SHORT[kind];
    const short = partName({ title: brief, layer });
    return [title, title.replace("attention", "attn"), short].map((text, k) => {
      const arrow = unfolds && k < 2 ? " ▸" : "";
      return { text, wide: this.widthOf("part", text + arrow) + PADDED };
    });
  }

  /** Reads the layout width of symbols and links. */
  measure() {
    const all = this.all.filter(({ isMeasured }) => !isMeasured);
    for (const { el } of all) el.hidden = false;
    for (const each of all) {
      each.wide = Math.max(1, each.el.offsetWidth);
      each.isMeasured = true;
    }
  }

  /** Forgets the widths of typeset symbols, which have changed. */
  forget() {
    for (const each of this.all) if (each.label.tex) each.isMeasured = false;
  }

  /**
   * Finds the candidate places of all headings.
   * @param {{camera: Camera, view: Size, left: number}} sight `left`: CSS px that words take at the
   *   left edge
   * @param {{named: boolean, isQuiet: boolean}} options whether columns have names at this zoom,
   *   and whether weights and symbols are left out
   * @returns {number} the height of the pinned headings at the upper edge, in CSS px
   */
  find({ camera, view, left }, { named, isQuiet }) {
    const legible = isQuiet && view.width >= PHONE_WIDTH ? QUIET : LEGIBLE;
    const bottom = named ? BAND.height : BAND.without;
    const mayPin = view.height >= LEAST_VIEW;
    const wanted = this.wanted({ camera, view, left, bottom, mayPin, legible });
    const hasPinned = wanted.some((places) => bestOf(places)?.isPinned);
    const isCovered = (/** @type {HeadingPlace} */ { isPinned, y }) =>
      hasPinned && !isPinned && y < bottom;
    // What comes to lie on the band of the pinned ones moves on until it is pinned itself.
    const pinned = (/** @type {HeadingPlace | null} */ each) =>
      each?.mayPin && isCovered(each) ? { ...each, isPinned: true } : each;
    const inSight = (/** @type {HeadingPlace | null} */ each) =>
      each && !isCovered(each) && !isCut(each, left, view) ? each : null;
    this.wantedPlaces = wanted.map((all) => all.map(pinned));
    this.free = this.wantedPlaces.map((all) => all.map(inSight));
    this.forms = this.formsOf(this.free);
    this.zoom = camera.zoom;
    return hasPinned ? bottom : 0;
  }

  /**
   * The labels at the places found. The titles of sublayers in one row use the same form: the
   * shortest that any of them needs.
   * @returns {FoundLabel[]}
   */
  labels() {
    return this.all.map((heading, k) => {
      const { label, el, wordings } = heading;
      const least = label.isSublayer ? (this.forms.get(label.y) ?? 0) : 0;
      const inForm = (/** @type {HeadingPlace | null} */ place) =>
        !place?.wording || wordings.indexOf(place.wording) >= least ? place : null;
      const places = this.free[k].map(inForm);
      const wanted = bestOf(this.wantedPlaces[k]);
      const isOutside = wanted !== null && !bestOf(this.free[k]);
      const show = (/** @type {number | undefined} */ at) => {
        // A title without a place stays focusable: the camera moves to it.
        const found = at === undefined ? null : places[at];
        const shown = found ?? (label.kind === "part" ? wanted : null);
        if (el.hidden === Boolean(shown)) el.hidden = !shown;
        el.classList.toggle("covered", !found);
        el.classList.toggle("pinned", Boolean(found?.isPinned));
        // Hidden labels are not written: while the camera moves, most are hidden.
        if (!shown) return;
        if (shown.wording) {
          setText(el, shown.wording.text);
          el.classList.toggle("short", shown.wording === wordings[2]); // has no arrow
        }
        put(el, shown.x, shown.y, shown.scale);
      };
      const group = isOutside ? undefined : groupOf(label);
      const own = placeable(heading, `heading ${k}`, places, this.zoom);
      return { ...own, group, show, all: places };
    });
  }

  /**
   * Shortens the titles of a row if one of them has no room for the form of the others.
   * @param {readonly FoundLabel[]} labels as they were placed @param {Map<string, number>} placed
   * @returns {boolean} whether any row was shortened
   */
  shortens(labels, placed) {
    const found = labels.map(({ all, key }) => [all[placed.get(key) ?? -1] ?? null]);
    const longer = [...this.formsOf(found)].filter(([y, form]) => form > (this.forms.get(y) ?? 0));
    for (const [y, form] of longer) this.forms.set(y, form);
    return longer.length > 0;
  }

  /**
   * The form of sublayer titles by row: the shortest among the first places of each title.
   * @param {readonly Candidates[]} places of each heading
   */
  formsOf(places) {
    const forms = /** @type {Map<number, number>} */ (new Map());
    this.all.forEach(({ label, wordings }, k) => {
      const first = bestOf(places[k]);
      if (!first?.wording || !label.isSublayer) return;
      forms.set(label.y, Math.max(forms.get(label.y) ?? 0, wordings.indexOf(first.wording)));
    });
    return forms;
  }

  /**
   * The candidate places of each heading, the best first; none if it would be too small.
   * @param {Sight} sight @returns {Candidates[]}
   */
  wanted(sight) {
    const { camera, view, legible } = sight;
    const inTurn = this.partsInTurn(camera);
    const titles = /** @type {Map<string, HeadingPlace>} */ (new Map());
    return this.all.map((heading) => {
      const { label, wide } = heading;
      const { kind, part, room } = label;
      if (isFolded(camera, label.y)) return [];
      if (heading.wordings.length) {
        const all = titlesOf(heading, sight);
        const best = bestOf(all);
        if (best) titles.set(part, best);
        return all;
      }
      if (heading.isInLine && inTurn.has(part)) return inTwoLines(heading, sight);
      if (kind === "stack") return this.namesOf(heading, sight);
      const scale = scaleOf(label, wide, sight);
      if (!isShown(kind, scale, room * camera.zoom, wide, legible)) return [];
      if (isButton(kind)) {
        const found = beside(titles.get(part), wide, scale, view);
        // The next one is beside both.
        for (const each of found) titles.set(part, both(titles.get(part) ?? each, each));
        return found;
      }
      return [placeOf(label, wide, scale, sight)];
    });
  }

  /**
   * The places of the name of a stack, left of the rows; none if it would be too small there.
   * @param {Heading} heading @param {Sight} sight @returns {Candidates}
   */
  namesOf({ label, wide }, sight) {
    const { camera, view } = sight;
    const right = (this.lanesLeft - 8 - camera.x) * camera.zoom;
    const corner = view.width < PHONE_WIDTH ? CORNER.phone : CORNER.other;
    const scale = Math.min(scaleOf(label, wide, sight), (right - corner) / wide);
    if (scale * BASE < LEGIBLE) return [];
    return lowered({ ...placeOf(label, wide, scale, sight), x: right - wide * scale });
  }

  /** Parts whose symbols have no room in one line. @param {Camera} camera */
  partsInTurn(camera) {
    const isNarrow = (/** @type {Heading} */ { label, isInLine, wide }) =>
      isInLine && (label.room * camera.zoom) / wide < LEGIBLE / BASE;
    return new Set(this.all.filter(isNarrow).map(({ label }) => label.part));
  }

  /** Shows how much the last edit changed each part. @param {Map<string, number>} parts 0 … 1 */
  tint(parts) {
    for (const { el, label } of this.all) {
      if (label.kind !== "part") continue;
      const tint = `${Math.round(100 * (parts.get(label.part) ?? 0))}%`;
      if (el.style.getPropertyValue("--tint") !== tint) el.style.setProperty("--tint", tint);
    }
  }

  remove() {
    this.observer.disconnect();
  }
}

/**
 * @typedef {object} Sight what is in sight of the picture
 * @property {Camera} camera @property {Size} view
 * @property {number} left CSS px that words take at the left edge
 * @property {number} bottom of the pinned headings, CSS px
 * @property {boolean} mayPin whether headings may be pinned
 * @property {number} legible CSS px of the smallest letters
 */

/**
 * The best place of a heading: above what it names, or above what is visible of that.
 * @param {Label} label @param {number} wide unscaled width, CSS px @param {number} scale
 * @param {Sight} sight
 */
function placeOf(label, wide, scale, { camera, view, left, bottom, mayPin }) {
  const { across: zoom } = scales(camera);
  const width = wide * scale;
  const x = (label.x - camera.x) * zoom - width / 2;
  const isTitle = label.kind === "part" || label.kind === "stack";
  // While the top of the picture is in sight its titles are, too: they cover no rows there.
  const isScrolled = placeDown(camera, 0) < 0;
  const least = isTitle && !isScrolled ? BAND.title : Number.NEGATIVE_INFINITY;
  const y = Math.max(least, placeDown(camera, label.y) - LINE * scale);
  const found = { x, y, scale, wide, isPinned: false };
  const { over } = label;
  if (!over) return found;
  const start = Math.min(x, (over.x - camera.x) * zoom);
  const end = Math.max(x + width, (over.x + over.width - camera.x) * zoom);
  found.x = Math.max(start, Math.min(Math.max(x, left), end - width));
  found.x = Math.min(found.x, Math.max(start, Math.min(end, view.width) - width));
  const slot = label.kind === "part" ? BAND.title : BAND.symbol;
  const top = slot + (LINE * (1 - scale)) / 2; // in the middle of its line
  const isUnder = placeDown(camera, over.y + over.height) > bottom + IN_SIGHT;
  const isInSight = start < view.width && end > left;
  if (!mayPin || !isScrolled || !isUnder || !isInSight) return found;
  return y < top ? { ...found, y: top, isPinned: true } : { ...found, mayPin: true };
}

/** Adds lower places, for rows that leave little height. @param {HeadingPlace} place */
const lowered = ({ mayPin, ...place }) =>
  DOWN.map((by) => {
    if (!by) return { ...place, mayPin };
    return place.isPinned ? null : { ...place, y: place.y + by };
  });

/** The number of places of each wording of a title. */
const PER_WORDING = DOWN.length * (ASIDE.length + 1);
const TOO_WIDE = /** @type {Candidates} */ (Array(PER_WORDING).fill(null));

/**
 * The places of a title, for its wordings from long to short; too wide ones are left out.
 * @param {Heading} heading @param {Sight} sight
 */
function titlesOf({ label, wordings }, sight) {
  const { camera, legible } = sight;
  const room = label.room * scales(camera).across;
  if (room < LEAST_ROOM) return [];
  const narrowest = wordings.reduce((a, b) => (b.wide < a.wide ? b : a));
  return wordings.flatMap((wording) => {
    const { wide } = wording;
    const isTooWide = (wide * legible) / BASE > WIDER * room;
    if (isTooWide && wording !== narrowest) return TOO_WIDE;
    const scale = scaleOf(label, wide, sight);
    const best = { ...placeOf(label, wide, scale, sight), wording };
    const aside = ASIDE.map((by) => (!by || wide * scale > room ? { x: best.x + by } : null));
    const places = [...aside, atEdge(best, label, sight)];
    return lowered(best).flatMap((place) => places.map((at) => place && at && { ...place, ...at }));
  });
}

/** Whether it is beside the title of an unfolded part. @param {Label["kind"]} kind */
const isButton = (kind) => kind === "close" || kind === "read";

/** Two labels side by side as one. @param {HeadingPlace} title @param {HeadingPlace} other */
function both(title, other) {
  const x = Math.min(title.x, other.x);
  const end = Math.max(...[title, other].map((each) => each.x + each.wide * each.scale));
  return { ...title, x, wide: (end - x) / title.scale };
}

/** The best place that is possible now. @param {Candidates} places */
const bestOf = (places) => places.find(Boolean) ?? null;

/**
 * The place at the edge of the view, for a title whose part is cut by it.
 * @param {HeadingPlace} best @param {Label} label @param {Sight} sight
 */
function atEdge({ x, wide, scale }, { over }, { camera, view, left }) {
  if (!over) return null;
  const { across } = scales(camera);
  const [start, end] = [over.x, over.x + over.width].map((at) => (at - camera.x) * across);
  if (x < left && end - left >= SEEN) return { x: left, isAside: true };
  const last = view.width - wide * scale;
  return x > last && view.width - start >= SEEN ? { x: last, isAside: true } : null;
}

/**
 * The places of a symbol of a part without room for all in one line; every second is higher.
 * @param {Heading} heading @param {Sight} sight
 */
function inTwoLines({ label, wide, isSecond }, sight) {
  const scale = LEGIBLE / BASE;
  if (!isShown("symbol", scale, label.room * sight.camera.zoom, 0, LEGIBLE)) return [];
  const best = placeOf(label, wide, scale, sight);
  const higher = { ...best, y: best.y - LINE * scale * LIFT };
  if (best.isPinned) return [best];
  return isSecond ? [null, higher, best] : [best, higher];
}

/**
 * A heading in the form that `place` takes. A pinned heading covers no numbers.
 * @param {Heading} heading @param {string} key @param {Candidates} places
 * @param {number} zoom CSS px per unit, horizontally
 */
function placeable({ label: { kind, room } }, key, places, zoom) {
  const { top, bottom } = LETTERS;
  const apart = APART[/** @type {keyof typeof APART} */ (kind)] ?? APART_ELSE;
  const boxOf = (/** @type {HeadingPlace} */ { x, y, scale, wide }) => ({
    ...{ x: x - apart, y: y + top * LINE * scale },
    ...{ width: wide * scale + 2 * apart, height: (bottom - top) * LINE * scale },
  });
  const boxes = places.map((each) => each && boxOf(each));
  const best = bestOf(places);
  const pinned = best?.isPinned ? "labels" : "all";
  const avoids = /** @type {Placeable["avoids"]} */ (kind === "add" ? "nothing" : pinned);
  const isRoom = best && best.wide * best.scale <= (best.isAside ? 0 : room * zoom);
  const priority = PRIORITY[kind] + (isRoom ? FITS : 0);
  return { key, places: boxes, perForm: PER_WORDING, priority, avoids };
}

/**
 * The labels shown together: the signs of a sum, the vectors of a part, lines under titles.
 * @param {Label} label
 */
function groupOf({ kind, part }) {
  if (kind === "words") return kind;
  return kind === "sign" || kind === "vector" ? `${kind} ${part}` : undefined;
}

/**
 * Whether an edge of the view, or the words at its left edge, would cut a heading.
 * @param {HeadingPlace} place @param {number} left CSS px @param {Size} view
 */
const isCut = ({ x, y, scale, wide }, left, view) => {
  const line = LINE * scale;
  const isOnTop = y + LETTERS.top * line < -MAY_CUT;
  const isOnBottom = y + LETTERS.bottom * line > view.height + MAY_CUT;
  const isAside = x < left - MAY_CUT || x + wide * scale > view.width + MAY_CUT;
  return isAside || isOnTop || isOnBottom;
};

/**
 * The place right of a title, or left of it if the right is outside the view.
 * @param {HeadingPlace | undefined} title @param {number} wide unscaled width, CSS px
 * @param {number} scale @param {Size} view
 */
function beside(title, wide, scale, view) {
  if (!title) return [];
  const width = wide * scale;
  const right = title.x + title.wide * title.scale + READ_AWAY;
  const left = title.x - READ_AWAY - width;
  const x = right + width > view.width && left > 0 ? left : right;
  // If neither side has room, shrink.
  const room = view.width - right - READ_AWAY / 2;
  const least = LEGIBLE / BASE / scale;
  const shrunk = x === right && width > room ? Math.max(least, room / width) : 1;
  return [{ ...title, x, wide, scale: scale * shrunk, wording: undefined }];
}

/**
 * Identifies what a heading shows and does, regardless of its position.
 * @param {Label} label @param {PartEntry | undefined} part
 */
function saysOf(label, part) {
  const { kind, text, tex, meaning, symbol, path, backward } = label;
  return JSON.stringify([kind, text, tex, meaning, symbol, path, backward, part]);
}

/** The scale of a label. @param {Label} label @param {number} wide unscaled @param {Sight} sight */
function scaleOf({ kind, room }, wide, { camera, legible }) {
  const { zoom, wide: stretch } = camera;
  // The room of lines above each other depends on the vertical scale.
  const unit = (zoom / stretch) * Math.min(stretch, STRETCH);
  const line = HEAD.words * scales(camera).down * TIGHT;
  const size = Math.max(legible, Math.min(16, 15.7 * unit ** 0.45, line)) / BASE;
  if (kind === "stack") return Math.min(1, size);
  const inside = (room * (BETWEEN[kind] ?? 1) * zoom) / wide;
  if (kind === "add") return Math.min(size, inside);
  const wanted = Math.max(size * (SIZES[kind] ?? 1), legible / BASE);
  // A label may be wider than its room: it is placed only if its neighbors leave space.
  return Math.max(legible / BASE, Math.min(wanted, inside));
}

/**
 * Whether a label is large enough to read and fits its room.
 * @param {Label["kind"]} kind @param {number} scale @param {number} room CSS px
 * @param {number} wide unscaled width, CSS px @param {number} legible CSS px of smallest letters
 */
function isShown(kind, scale, room, wide, legible) {
  if (isButton(kind)) return true;
  const isLarge = scale * BASE >= (LEAST[kind] ?? legible) - 0.01;
  return isLarge && room >= LEAST_ROOM && wide * scale <= WIDER * room;
}

/** @param {HTMLElement} el @param {number} x @param {number} y @param {number} scale */
export function put(el, x, y, scale) {
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
