/**
 * What stands over the parts of the whole picture: titles, what a part does, symbols and formulas.
 * While one is near, the headings of what is in sight stay at the upper edge of the view.
 */

import { make, setText } from "../../shared/dom.js";
import { ideaLinks } from "../../shared/idea_links.js";
import { typeset } from "../../shared/katex.js";
import { html } from "../../shared/lit-html.js";
import { spoken } from "../../shared/spoken_math.js";
import { drawn } from "../../shared/template.js";
import { PHONE_WIDTH, placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import { HEAD, STEP, TILE_LABEL, VECTORS_APART } from "./plan.js";

/**
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Label, Plan} from "./plan.js"
 */

/** What all are set in, in CSS px; they are scaled from there. */
const BASE = 13;
const LINE = 20;
/** The least size, in CSS px, at which a kind of label is shown. */
const LEAST = {
  stack: 0,
  part: 8,
  read: 10,
  words: 9,
  strip: 8,
  symbol: 5.6,
  vector: 13,
  sign: 6,
  add: 6,
  formula: 13,
  step: 8,
};
/** Of the size of titles. @type {Partial<Record<Label["kind"], number>>} */
const SIZES = { symbol: 0.86, words: 0.94, strip: 0.94, step: 0.9 };
const TIGHT = 1.03; // of the room of a line, at most, is the size of its letters
const STRETCH = 1.12; // that letters follow of a picture that is stretched across
const LEAST_SYMBOL = 9; // CSS px; smaller ones stand at this size where they have room
const LIFT = 0.85; // of a line, by which every second one is higher then
const LETTERS = 0.2; // of a line, which letters leave free above
const APART = 3; // CSS px between two symbols
const SIGN_APART = 3; // CSS px from a sign to what it stands between
/** Of its room that a label takes, so that those of two parts stand apart. */
const BETWEEN = /** @type {Partial<Record<Label["kind"], number>>} */ ({
  formula: 0.92,
  words: 0.98,
});
/** What a part is called where there is no room for its title. */
const SHORT = {
  input: "embed",
  attention: "attn",
  cross: "cross",
  feed_forward: "FFN",
  norm: "norm",
  output: "next",
};
/** The least CSS px from a title to the line under it, so that both can be shown. */
const LINES_APART = 10;
const LEAST_SHARE = 0.7; // of its size that such a button keeps
/**
 * On a phone, CSS px below which no letters are set: what has no room for them is left out. Titles
 * are moved so far from their parts at most, and so far from each other at least.
 */
const PHONE = { letters: 11.5, aside: 14, apart: 5 };
const OVER = 20; // CSS px that a title may be wider than its part where no symbols are near it
const QUIET = 13; // CSS px of letters, at the least, where weights and symbols are left out
const READ_AWAY = 12; // CSS px from a title to the button beside it
const MAY_CUT = 3; // CSS px of a label that an edge may take
/** CSS px that the name of a stack keeps from the edge of the view; words of a film stand there. */
const CORNER = { phone: 14, other: 8 };

/** Where headings stay at the upper edge of the view, CSS px: titles, symbols, columns' names. */
export const BAND = { title: 2, symbol: 23, columns: 42, line: 15, height: 57, without: 44 };
/** CSS px of what is named that have to be in sight below its heading. */
export const IN_SIGHT = 12;
const LEAST_VIEW = 150; // CSS px; lower views have no room for headings that stay

/**
 * @typedef {{text: string, wide: number}} Wording wide in CSS px as it is set
 *
 * @typedef {object} Heading
 * @property {HTMLElement} el
 * @property {Label} label
 * @property {string} says what it says, wherever it stands
 * @property {number} wide CSS px as it is set
 * @property {boolean} isMeasured whether that is known
 * @property {boolean} isSecond whether it is every second symbol of its part
 * @property {Wording[]} wordings the title of a part: in full, with a word cut, and in short
 *
 * @typedef {object} Place
 * @property {number} x @property {number} y CSS px of the view
 * @property {number} scale
 * @property {boolean} isPinned
 *
 * @typedef {{x: number, y: number, right: number, bottom: number}} Edges
 *
 * @typedef {object} HeadingActions
 * @property {(part: PartEntry, far: boolean) => void} open a part was pressed, by key from afar
 * @property {(part: PartEntry) => void} read as formulas
 */

export class Headings {
  /** @param {HeadingActions} actions @param {() => void} onResize a symbol was typeset by now */
  constructor(actions, onResize) {
    this.actions = actions;
    this.all = /** @type {Heading[]} */ ([]);
    this.lanesLeft = 0; // where the lanes begin, in units
    this.plan = /** @type {Plan | null} */ (null);
    this.hasPinned = false;
    this.legible = 0; // CSS px of the least letters, on a phone
    /** Symbols are as wide as their letters, which may come later. */
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
    this.plan = plan;
    this.lanesLeft = Math.min(...[...plan.lanes.values()].map(({ left }) => left));
    this.observer.disconnect();
    /** Symbols of each part so far. @type {Map<string, number>} */
    const counts = new Map();
    /** @type {Map<string, Heading[]>} */
    const before = new Map();
    for (const each of this.all) before.set(each.says, [...(before.get(each.says) ?? []), each]);
    this.all = plan.labels.map((label) => {
      const part = parts.get(label.part);
      const says = saysOf(label, part);
      const count = label.kind === "symbol" ? (counts.get(label.part) ?? 0) : 0;
      if (label.kind === "symbol") counts.set(label.part, count + 1);
      const place = { label, isSecond: count % 2 === 1 };
      // Of another sentence most headings are the same; typeset symbols are dear to lay out.
      const same = before.get(says)?.shift();
      if (same) return { ...same, ...place };
      const wordings = part && label.kind === "part" ? wordingsOf(label.text, part) : [];
      const el = this.element(label, part);
      if (label.path) el.dataset.path = label.path;
      return { ...place, says, el, wide: 1, isMeasured: false, wordings };
    });
    for (const { label, el } of this.all) if (label.tex) this.observer.observe(el);
  }

  /** @param {Label} label @param {PartEntry | undefined} part */
  element(label, part) {
    const { kind, text, tex } = label;
    if (kind === "part" && part) return this.title(text, part);
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
  reading(part) {
    return drawn(
      () => html`<span class="label read"><button type="button" class="read-as"
        aria-label="Read ${part.title} of the ${part.stack} as formulas"
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
        // A press of Enter on a button is a click without a count.
        onclick: (/** @type {MouseEvent} */ event) => this.actions.open(part, event.detail === 0),
      },
      text,
    );
  }

  /** How wide is to be read again. */
  forget() {
    for (const each of this.all) each.isMeasured = false;
  }

  /** How wide everything is set of which that is not known. */
  measure() {
    const all = this.all.filter(({ isMeasured }) => !isMeasured);
    for (const each of all) {
      each.el.hidden = false;
      each.isMeasured = true;
    }
    for (const each of all) each.wide = Math.max(1, each.el.offsetWidth);
    const titles = all.filter(({ wordings }) => wordings.length > 0);
    for (const k of [2, 1, 0]) {
      for (const { el, wordings } of titles) write(el, wordings[k].text, k === 2);
      for (const heading of titles) {
        heading.wide = heading.wordings[k].wide = Math.max(1, heading.el.offsetWidth);
      }
    }
  }

  /**
   * @param {Camera} camera @param {Size} view @param {number} left what is right of the words that
   *   stand at the left edge, in CSS px
   * @param {boolean} named whether columns have names at this zoom
   * @param {boolean} isQuiet whether weights and symbols are left out
   * @returns {number} the height of what stays at the upper edge, in CSS px
   */
  place(camera, view, left, named, isQuiet) {
    const { across: zoom, down: tall } = scales(camera);
    this.legible = view.width < PHONE_WIDTH ? PHONE.letters : isQuiet ? QUIET : 0;
    const bottom = named ? BAND.height : BAND.without;
    const mayPin = view.height >= LEAST_VIEW;
    const { legible } = this;
    const corner = view.width < PHONE_WIDTH ? CORNER.phone : CORNER.other;
    const over = isQuiet && view.width >= PHONE_WIDTH ? OVER : 0;
    for (const heading of this.all)
      if (heading.wordings.length) word(heading, camera, legible, over);
    const titled = this.titledParts(camera);
    const inTurn = this.partsInTurn(camera);
    /** Of each part, where its title ends. @type {Map<string, Place & {right: number}>} */
    const titles = new Map();
    const places = this.all.map((heading) => {
      const { label, wide } = heading;
      const { kind } = label;
      const isInTurn = kind === "symbol" && inTurn.has(label.part);
      const scale = isInTurn ? this.leastSymbol / BASE : scaleOf(label, wide, camera, legible);
      const isUnder = isFolded(camera, label.y) || isTooNear(label, tall, titled, legible);
      if (isUnder || !isShown(kind, scale, label.room * zoom, legible)) return null;
      if (kind === "read") return beside(titles.get(label.part), wide * scale, scale, view);
      const place = placeOf(heading, scale, { camera, view, left, bottom, mayPin });
      if (kind === "stack") {
        place.x = (this.lanesLeft - 8 - camera.x) * zoom - wide * scale;
        return place.x < corner ? null : place; // its place is that of words that stay in sight
      }
      if (kind === "part") titles.set(label.part, { ...place, right: place.x + wide * scale });
      return place;
    });
    if (legible) this.keepTitlesApart(places);
    this.keepApart(places, inTurn, camera);
    this.hasPinned = places.some((place) => place?.isPinned);
    this.all.forEach(({ el, label, wide }, k) => {
      const place = places[k];
      const isUnderBand = (/** @type {Place} */ { isPinned, y }) =>
        !isPinned && this.hasPinned && y < bottom;
      const isCovered = place && (isUnderBand(place) || isCut(place, wide, left, view));
      // A title stays in the order of the keyboard: the camera goes to it.
      const isHidden = !place || (Boolean(isCovered) && label.kind !== "part");
      setHidden(el, isHidden);
      el.classList.toggle("covered", Boolean(isCovered));
      el.classList.toggle("pinned", Boolean(place?.isPinned));
      // What is not seen is placed when it is: at a camera that moves, most labels are not.
      if (place && !isHidden) put(el, place.x, place.y, place.scale);
    });
    return this.hasPinned ? bottom : 0;
  }

  get leastSymbol() {
    return Math.max(LEAST_SYMBOL, this.legible);
  }

  /**
   * Titles that are wider than their parts step aside for those at their left, the name of the
   * stack first; one that would have to go too far is set shorter, or else left out.
   * @param {(Place | null)[]} places
   */
  keepTitlesApart(places) {
    const ends = /** @type {Map<number, number>} */ (new Map()); // of each line so far
    const endOf = (/** @type {Label} */ { y }) => ends.get(y) ?? Number.NEGATIVE_INFINITY;
    const titles = this.all
      .map((heading, k) => ({ heading, k, x: places[k]?.x ?? 0 }))
      .filter(({ heading: { label }, k }) => places[k] && isTitle(label))
      .sort((a, b) => a.x - b.x);
    for (const { heading, k, x } of titles) {
      const place = places[k];
      if (!place) continue;
      const { label, wordings, wide } = heading;
      const least = endOf(label) + PHONE.apart;
      const own = { text: "", wide };
      const shorter = wordings.filter((wording) => wording.wide < wide);
      const middled = (/** @type {Wording} */ wording) =>
        x + ((wide - wording.wide) * place.scale) / 2;
      const found = [own, ...shorter].find((wording) => least <= middled(wording) + PHONE.aside);
      if (!found) {
        places[k] = null;
        continue;
      }
      if (found !== own) set(heading, found);
      place.x = Math.max(middled(found), least);
      ends.set(label.y, place.x + found.wide * place.scale);
    }
  }

  /**
   * Symbols that would lie on others are left out. Those that stand in turn keep off the numbers,
   * too, and take the line above where theirs has no room.
   * @param {(Place | null)[]} places @param {Set<string>} inTurn @param {Camera} camera
   */
  keepApart(places, inTurn, camera) {
    const taken = /** @type {Edges[]} */ ([]);
    const isSet = this.legible > 0; // larger than its room: it may lie over what is beside it
    const cells = inTurn.size || isSet ? this.cellEdges(camera) : [];
    this.all.forEach((heading, k) => {
      const place = places[k];
      if (heading.label.kind !== "symbol" || !place) return;
      const isInTurn = (inTurn.has(heading.label.part) || isSet) && !place.isPinned;
      // On a phone the words of rows, and what is said of a number, need the place left of them.
      const isAmongWords = this.legible > 0 && place.x < this.leftOf(camera) - MAY_CUT;
      const isFree = (/** @type {{box: Edges}} */ { box }) =>
        !isAmongWords && !isOver(box, taken) && !(isInTurn && isOver(box, cells));
      const found = linesOf(heading, place, isInTurn).find(isFree);
      if (found) {
        taken.push(found.box);
        place.y = found.y;
      } else places[k] = null;
    });
    this.keepSignsApart(places);
  }

  /**
   * The signs of a sum are left out together where one would touch what it stands between.
   * @param {(Place | null)[]} places
   */
  keepSignsApart(places) {
    /** @param {"strip" | "sign"} kind @param {number} apart CSS px */
    const boxes = (kind, apart) =>
      this.all.flatMap(({ label, wide }, k) => {
        const place = places[k];
        if (label.kind !== kind || !place) return [];
        const { x, y, scale } = place;
        const right = x + wide * scale + apart;
        return [{ part: label.part, box: { x: x - apart, y, right, bottom: y + LINE * scale } }];
      });
    const names = boxes("strip", 0).map(({ box }) => box);
    const signs = boxes("sign", SIGN_APART).filter(({ box }) => isOver(box, names));
    const crowded = new Set(signs.map(({ part }) => part));
    this.all.forEach(({ label }, k) => {
      if (label.kind === "sign" && crowded.has(label.part)) places[k] = null;
    });
  }

  /**
   * Where numbers and links are, in CSS px of the view.
   * @param {Camera} camera @returns {Edges[]}
   */
  cellEdges(camera) {
    const { across } = scales(camera);
    const { matrices = [], links = [] } = this.plan ?? {};
    const rects = [
      ...matrices.map(({ x, y, cell, height, rows, cols }) => {
        return { x, y, width: cols * cell, height: rows * height };
      }),
      ...links.map(({ box }) => box),
    ];
    return rects.map(({ x, y, width, height }) => ({
      x: (x - camera.x) * across,
      y: placeDown(camera, y),
      right: (x + width - camera.x) * across,
      bottom: placeDown(camera, y + height),
    }));
  }

  /** Where the lanes begin in the view, in CSS px. @param {Camera} camera */
  leftOf(camera) {
    return (this.lanesLeft - camera.x) * scales(camera).across;
  }

  /** Parts whose symbols have no room in one line. @param {Camera} camera */
  partsInTurn(camera) {
    const isNarrow = (/** @type {Heading} */ { label, wide }) =>
      label.kind === "symbol" && scaleOf(label, wide, camera) * BASE < this.leastSymbol;
    return new Set(this.all.filter(isNarrow).map(({ label }) => label.part));
  }

  /** Parts whose title is shown. @param {Camera} camera */
  titledParts(camera) {
    const titles = this.all.filter(({ label, wide }) => {
      const isTitle = label.kind === "part";
      const scale = scaleOf(label, wide, camera, this.legible);
      return isTitle && isShown("part", scale, label.room * camera.zoom, this.legible);
    });
    return new Set(titles.map(({ label }) => label.part));
  }

  /** How far the last edit moved each part. @param {Map<string, number>} parts shares of 1 */
  tint(parts) {
    for (const { el, label } of this.all) {
      if (label.kind !== "part") continue;
      const tint = `${Math.round(100 * (parts.get(label.part) ?? 0))}%`;
      if (el.style.getPropertyValue("--tint") !== tint) el.style.setProperty("--tint", tint);
    }
  }

  /** @param {Element} el @returns {Label | undefined} the label that it shows */
  labelOf(el) {
    return this.all.find((heading) => heading.el === el)?.label;
  }

  remove() {
    this.observer.disconnect();
  }
}

/**
 * @typedef {object} Sight what is seen of the picture
 * @property {Camera} camera @property {Size} view
 * @property {number} left CSS px at the left that words take
 * @property {number} bottom of what stays at the upper edge
 * @property {boolean} mayPin whether headings stay there
 */

/**
 * Over what it names, or where that is cut by an edge of the view, over what is seen of it.
 * @param {Pick<Heading, "label" | "wide">} heading @param {number} scale @param {Sight} sight
 * @returns {Place}
 */
function placeOf({ label, wide }, scale, { camera, view, left, bottom, mayPin }) {
  const { across: zoom } = scales(camera);
  const width = wide * scale;
  const x = (label.x - camera.x) * zoom - width / 2;
  // Where the picture begins in the view its titles do, too: none of them lies over its rows.
  const isScrolled = placeDown(camera, 0) < 0;
  const least = isTitle(label) && !isScrolled ? BAND.title : Number.NEGATIVE_INFINITY;
  const y = Math.max(least, placeDown(camera, label.y) - LINE * scale);
  const place = { x, y, scale, isPinned: false };
  const { over } = label;
  if (!over) return place;
  const start = Math.min(x, (over.x - camera.x) * zoom);
  const end = Math.max(x + width, (over.x + over.width - camera.x) * zoom);
  place.x = Math.max(start, Math.min(Math.max(x, left), end - width));
  place.x = Math.min(place.x, Math.max(start, Math.min(end, view.width) - width));
  const slot = label.kind === "part" ? BAND.title : BAND.symbol;
  const top = slot + (LINE * (1 - scale)) / 2; // in the middle of its line
  const isUnder = placeDown(camera, over.y + over.height) > bottom + IN_SIGHT;
  const isInSight = start < view.width && end > left;
  if (mayPin && isScrolled && y < top && isUnder && isInSight)
    return { ...place, y: top, isPinned: true };
  return place;
}

/**
 * Where a symbol may stand, the best first: in its line, or where they stand in turn, above it.
 * @param {Heading} heading @param {Place} place @param {boolean} isInTurn
 * @returns {{y: number, box: Edges}[]}
 */
function linesOf({ wide, isSecond }, { x, y, scale }, isInTurn) {
  const higher = y - LINE * scale * LIFT;
  const lines = isSecond ? [higher, y] : [y, higher];
  const right = x + wide * scale;
  // Letters leave some of a line's height free.
  return isInTurn
    ? lines.map((at) => {
        const [top, bottom] = [at + LINE * scale * LETTERS, at + LINE * scale * LIFT];
        return { y: at, box: { x, y: top, right: right + APART, bottom } };
      })
    : [{ y, box: { x, y, right, bottom: y + LINE * scale * LIFT } }];
}

/** Whether a box lies on one of others. @param {Edges} box @param {readonly Edges[]} others */
const isOver = (box, others) =>
  others.some(
    ({ x, y, right, bottom }) => box.x < right && x < box.right && box.y < bottom && y < box.bottom,
  );

/**
 * Whether an edge of the view, or the words that stay there, would cut it.
 * @param {Place} place @param {number} wide CSS px as it is set @param {number} left
 * @param {Size} view
 */
const isCut = ({ x, scale }, wide, left, view) =>
  x < left - MAY_CUT || x + wide * scale > view.width + MAY_CUT;

/**
 * At the right of a title, or where that leaves the view, at its left.
 * @param {(Place & {right: number}) | undefined} title @param {number} width CSS px
 * @param {number} scale @param {Size} view
 * @returns {Place | null}
 */
function beside(title, width, scale, view) {
  if (!title) return null;
  const right = title.right + READ_AWAY;
  const left = title.x - READ_AWAY - width;
  const x = right + width > view.width && left > 0 ? left : right;
  // Where neither has room, they are smaller.
  const room = view.width - right - READ_AWAY / 2;
  const shrunk = x === right && width > room ? Math.max(LEAST_SHARE, room / width) : 1;
  return { ...title, x, scale: scale * shrunk };
}

/**
 * The title of a part in full and in short, both with the number of its layer.
 * @param {string} title @param {PartEntry} part
 * @returns {Wording[]}
 */
function wordingsOf(title, { kind, layer, stack }) {
  const brief = kind === "output" && stack === "encoder" ? "word" : SHORT[kind];
  const short = layer ? `${brief} ${layer + 1}` : brief;
  return [title, title.replace("attention", "attn"), short].map((text) => ({ text, wide: 1 }));
}

/**
 * What a heading says and what it does, but not where it stands.
 * @param {Label} label @param {PartEntry | undefined} part
 */
function saysOf(label, part) {
  const { kind, text, tex, meaning, symbol, path, backward } = label;
  return JSON.stringify([kind, text, tex, meaning, symbol, path, backward, part]);
}

/**
 * The longest that has room.
 * @param {Heading} heading @param {Camera} camera @param {number} legible CSS px
 * @param {number} over CSS px that it may be wider than its room
 */
function word(heading, camera, legible, over) {
  const { label, wordings } = heading;
  const fits = (/** @type {Wording} */ { wide }) =>
    legible > 0
      ? ((label.room * scales(camera).across + over) * BASE) / wide >= legible
      : scaleOf(label, wide, camera) * BASE >= LEAST.part + 1;
  const narrowest = wordings.reduce((a, b) => (b.wide < a.wide ? b : a));
  set(heading, wordings.find(fits) ?? narrowest);
}

/** @param {Heading} heading @param {Wording} chosen */
function set(heading, chosen) {
  heading.wide = chosen.wide;
  write(heading.el, chosen.text, chosen === heading.wordings[2]);
}

/** @param {Label} label */
const isTitle = ({ kind }) => kind === "part" || kind === "stack";

/** @param {HTMLElement} el a title @param {string} text @param {boolean} isShort: no arrow */
function write(el, text, isShort) {
  setText(el, text);
  el.classList.toggle("short", isShort);
}

/**
 * @param {Label} label @param {number} wide CSS px as it is set @param {Camera} camera
 * @param {number} [legible] CSS px of the least letters
 */
function scaleOf({ kind, room }, wide, camera, legible = 0) {
  const { zoom, wide: stretch } = camera;
  // Lines above each other have the room of a unit downward, not of one across.
  const unit = (zoom / stretch) * Math.min(stretch, STRETCH);
  const line = HEAD.words * scales(camera).down * TIGHT;
  const size = Math.max(9, Math.min(16, 15.7 * unit ** 0.45, line)) / BASE;
  if (kind === "stack") return Math.min(1, Math.max(size, legible / BASE));
  const inside = (room * (BETWEEN[kind] ?? 1) * zoom) / wide;
  const wanted = Math.max(size * (SIZES[kind] ?? 1), LETTERED.has(kind) ? legible / BASE : 0);
  // A title may be wider than its part: see keepTitlesApart.
  return kind === "part" && legible
    ? Math.max(legible / BASE, Math.min(wanted, inside))
    : Math.min(wanted, inside);
}

/** Kinds of labels that are letters, not signs. @type {Set<Label["kind"]>} */
const LETTERED = new Set(["part", "read", "words", "strip", "vector", "formula"]);

/**
 * @param {Label["kind"]} kind @param {number} scale @param {number} room CSS px
 * @param {number} legible CSS px
 */
const isShown = (kind, scale, room, legible) => {
  const least = Math.max(LEAST[kind], LETTERED.has(kind) ? legible - 0.01 : 0);
  return kind === "stack" || (room >= 6 && scale * BASE >= least);
};

/**
 * Whether a label has no line of its own at this zoom.
 * @param {Label} label @param {number} tall @param {Set<string>} titled parts with a title
 * @param {number} legible CSS px
 */
function isTooNear({ kind, part }, tall, titled, legible) {
  if (kind === "strip") return HEAD.strip * tall < LINES_APART && titled.has(part);
  if (kind === "words") return HEAD.words * tall < Math.max(LINES_APART, legible);
  if (kind === "step") return STEP * tall < LINES_APART;
  if (kind === "symbol") return TILE_LABEL * tall < LINES_APART;
  return kind === "vector" && VECTORS_APART * tall < LEAST.vector;
}

/** @param {HTMLElement} el @param {boolean} hidden */
function setHidden(el, hidden) {
  if (el.hidden !== hidden) el.hidden = hidden;
}

/** @param {HTMLElement} el @param {number} x @param {number} y @param {number} scale */
function put(el, x, y, scale) {
  el.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${scale.toFixed(3)})`;
}
