/**
 * The possible places of headings: above the named object, or above its visible part. When the
 * camera is near, headings of visible objects are pinned at the upper edge of the view.
 */

import { PHONE_WIDTH, placeDown, scales } from "./camera.js";
import { isFolded } from "./folds.js";
import {
  BASE,
  isButton,
  isShown,
  LEAST_ROOM,
  LEGIBLE,
  LINE,
  OWN,
  QUIET,
  scaleOf,
  WIDER,
} from "./heading_sizes.js";

/**
 * @import {Wording} from "./heading_sizes.js"
 * @import {Camera, Size} from "./camera.js"
 * @import {Label} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {object} PlacedHeading the properties that determine the places of a heading
 * @property {Label} label
 * @property {number} wide CSS px as it is set
 * @property {boolean} isInLine whether it names strips or weights beside each other
 * @property {boolean} isSecond whether it is every second of these
 * @property {(Wording | null)[]} wordings the title of a part, from long to short; see `wordingsOf`
 *
 * @typedef {object} HeadingPlace
 * @property {number} x @property {number} y CSS px of the view
 * @property {number} scale @property {number} wide unscaled width, CSS px
 * @property {boolean} isPinned @property {boolean} [isAside] at an edge of the view
 * @property {boolean} [mayPin] whether it may be pinned
 * @property {Wording} [wording]
 *
 * @typedef {readonly (HeadingPlace | null)[]} Candidates the places of a heading. The index of a
 *   place does not depend on the camera; null: a place is not possible now
 *
 * @typedef {Pick<Viewpoint, "camera" | "view" | "namesColumns" | "isQuiet"> & {left: number}} Seen
 *   `left`: CSS px that words take at the left edge
 *
 * @typedef {object} Sight
 * @property {Camera} camera @property {Size} view
 * @property {number} left CSS px that words take at the left edge
 * @property {number} lanesLeft left end of the lanes, in units
 * @property {number} bottom bottom of the pinned headings, CSS px
 * @property {boolean} mayPin whether headings may be pinned
 * @property {number} legible CSS px of the smallest letters
 */

const LIFT = 0.85; // share of a line by which a symbol is raised if its line is full
/** Top and bottom of the letters, as shares of a line. */
export const LETTERS = { top: 0.22, bottom: 0.82 };
/** CSS px that a title may be moved right, and down. */
const ASIDE = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 17, 20];
const DOWN = [0, 3, 6];
/** CSS px that the line under a title may be moved to a side. */
const BESIDE = [0, -4, 4, -8, 8, -12, 12, -16, 16];
const NEAR = 1; // the zoom from which that line stays over the middle of its part
const SEEN = 24; // CSS px of a cut part that must be in sight for its title to be at the edge
const READ_AWAY = 12; // CSS px from a title to the button beside it
const MAY_CUT = 1; // CSS px of a label that an edge of the view may cut off
/** CSS px between the name of a stack and the edge of the view, for the words of a film. */
const CORNER = { phone: 14, other: 8 };
const LEAST_VIEW = 150; // CSS px; lower views have no room for pinned headings

/**
 * The band of pinned headings at the upper edge of the view, in CSS px: tops of titles, symbols and
 * column names, height of a line, height of the band with and without column names.
 */
export const BAND = { title: 2, symbol: 23, columns: 42, line: 15, height: 57, without: 44 };
/** The least visible CSS px of the named object below its pinned heading. */
export const IN_SIGHT = 12;

/** The number of candidate places for each wording of a title. */
export const PER_WORDING = DOWN.length * (ASIDE.length + 1);
const TOO_WIDE = /** @type {Candidates} */ (Array(PER_WORDING).fill(null));

/** The best place that is possible now, or null. @param {Candidates} places */
export const bestOf = (places) => places.find(Boolean) ?? null;

/**
 * Finds the candidate places of all headings (`all`), and those in sight (`free`).
 * @param {readonly PlacedHeading[]} headings @param {Seen} seen
 * @param {number} lanesLeft left end of the lanes, in units
 * @returns {{all: Candidates[], free: Candidates[], top: number}} `top`: the height of the pinned
 *   headings at the upper edge, in CSS px
 */
export function placesOf(headings, { camera, view, left, namesColumns, isQuiet }, lanesLeft) {
  const legible = isQuiet && view.width >= PHONE_WIDTH ? QUIET : LEGIBLE;
  const bottom = namesColumns ? BAND.height : BAND.without;
  const mayPin = view.height >= LEAST_VIEW;
  const sight = { camera, view, left, lanesLeft, bottom, mayPin, legible };
  const wanted = wantedPlaces(headings, sight);
  const hasPinned = wanted.some((places) => bestOf(places)?.isPinned);
  const isCovered = (/** @type {HeadingPlace} */ { isPinned, y }) =>
    hasPinned && !isPinned && y < bottom;
  // A heading that the band of pinned headings would cover is pinned, too, if it may be.
  const pinned = (/** @type {HeadingPlace | null} */ each) =>
    each?.mayPin && isCovered(each) ? { ...each, isPinned: true } : each;
  const inSight = (/** @type {HeadingPlace | null} */ each) =>
    each && !isCovered(each) && !isCut(each, left, view) ? each : null;
  const all = wanted.map((places) => places.map(pinned));
  return { all, free: all.map((places) => places.map(inSight)), top: hasPinned ? bottom : 0 };
}

/**
 * The form of all sublayer titles: the shortest among the first places of each title.
 * @param {readonly PlacedHeading[]} headings @param {readonly Candidates[]} places of each
 * @returns {number} the index of the wording
 */
export function formOf(headings, places) {
  const forms = headings.map(({ label, wordings }, k) => {
    const first = label.sublayer ? bestOf(places[k]) : null;
    return first?.wording ? wordings.indexOf(first.wording) : 0;
  });
  return Math.max(0, ...forms);
}

/**
 * The candidate places of each heading, the best first; empty if the heading would be too small.
 * @param {readonly PlacedHeading[]} headings @param {Sight} sight @returns {Candidates[]}
 */
function wantedPlaces(headings, sight) {
  const { camera, view, legible } = sight;
  // Whether a part's symbols do not fit side by side in one line.
  const isNarrow = (/** @type {PlacedHeading} */ { label, isInLine, wide }) =>
    isInLine && (label.room * camera.zoom) / wide < LEGIBLE / BASE;
  const inTurn = new Set(headings.filter(isNarrow).map(({ label }) => label.part));
  const titles = /** @type {Map<string, HeadingPlace>} */ (new Map());
  const lineScale = scaleOfLines(headings, sight);
  return headings.map((heading) => {
    const { label, wide } = heading;
    const { kind, part } = label;
    if (isFolded(camera, label.y)) return [];
    if (heading.wordings.length) {
      const all = titlesOf(heading, sight);
      const best = bestOf(all);
      if (best) titles.set(part, best);
      return all;
    }
    if (kind === "stack") return stackNames(heading, sight);
    if (heading.isInLine && inTurn.has(part)) return inTwoLines(heading, sight);
    if (kind === "words") return besideTheMiddle(heading, lineScale, sight);
    const scale = scaleOf(label, wide, camera, legible);
    if (isButton(kind)) {
      const found = beside(titles.get(part), wide, scale, view);
      // The next button is placed beside the title and this one.
      for (const each of found) titles.set(part, both(titles.get(part) ?? each, each));
      return found;
    }
    return besideTheMiddle(heading, scale, sight);
  });
}

/**
 * The scale of the lines under titles, which have one size.
 * @param {readonly PlacedHeading[]} headings @param {Sight} sight
 */
function scaleOfLines(headings, { camera, legible }) {
  const lines = headings.filter(({ label }) => label.kind === "words");
  return Math.min(...lines.map(({ label, wide }) => scaleOf(label, wide, camera, legible)));
}

/**
 * The places of a label over its part; none if it would be too small or too wide there.
 * @param {PlacedHeading} heading @param {number} scale @param {Sight} sight
 */
function besideTheMiddle({ label, wide }, scale, sight) {
  if (!isShown(label.kind, scale, label.room * sight.camera.zoom, wide, sight.legible)) return [];
  const best = placeOf(label, wide, scale, sight);
  // From near, parts have room for their lines, which move with them.
  const shifts = label.kind === "words" && sight.camera.zoom < NEAR ? BESIDE : [0];
  return shifts.map((by) => ({ ...best, x: best.x + by }));
}

/**
 * The places of the name of a stack, left of the rows; none if it would be too small there.
 * @param {PlacedHeading} heading @param {Sight} sight @returns {Candidates}
 */
function stackNames({ label, wide }, sight) {
  const { camera, view, lanesLeft, legible } = sight;
  const right = (lanesLeft - 8 - camera.x) * camera.zoom;
  const corner = view.width < PHONE_WIDTH ? CORNER.phone : CORNER.other;
  const scale = Math.min(scaleOf(label, wide, camera, legible), (right - corner) / wide);
  if (scale * BASE < LEGIBLE) return [];
  return lowered({ ...placeOf(label, wide, scale, sight), x: right - wide * scale });
}

/**
 * The best place of a heading: above the named object, or above its visible part.
 * @param {Label} label @param {number} wide unscaled width, CSS px @param {number} scale
 * @param {Sight} sight
 */
function placeOf(label, wide, scale, { camera, view, left, bottom, mayPin }) {
  const { across: zoom } = scales(camera);
  const width = wide * scale;
  const x = (label.x - camera.x) * zoom - width / 2;
  const isTitle = label.kind === "part" || label.kind === "stack";
  // While the top of the picture is in sight, keep titles in sight, too: they cover no rows there.
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
  const top = slot + (LINE * (1 - scale)) / 2; // centered in its line
  const isUnder = placeDown(camera, over.y + over.height) > bottom + IN_SIGHT;
  const isInSight = start < view.width && end > left;
  if (!mayPin || !isScrolled || !isUnder || !isInSight) return found;
  return y < top ? { ...found, y: top, isPinned: true } : { ...found, mayPin: true };
}

/** Adds lower places, for rows with little room above them. @param {HeadingPlace} place */
const lowered = ({ mayPin, ...place }) =>
  DOWN.map((by) => {
    if (!by) return { ...place, mayPin };
    return place.isPinned ? null : { ...place, y: place.y + by };
  });

/**
 * The places of a title, for its wordings from long to short; too wide ones are left out. A title
 * begins left of the middle of its part, and the name of a layer at the left of its first part.
 * @param {PlacedHeading} heading @param {Sight} sight
 */
function titlesOf({ label, wordings }, sight) {
  const { camera, legible } = sight;
  const { across } = scales(camera);
  const room = label.room * across;
  if (room < LEAST_ROOM) return [];
  const middle = (label.x - camera.x) * across;
  const own = wordings.slice(0, OWN + 1).map((wording) => wording?.wide ?? 0);
  return wordings.flatMap((wording, k) => {
    if (!wording) return TOO_WIDE;
    const { wide } = wording;
    const isTooWide = (wide * legible) / BASE > WIDER * room;
    if (isTooWide && k <= OWN && wide > Math.min(...own)) return TOO_WIDE;
    const isOfLayer = k > OWN && label.over !== undefined;
    const scale = isOfLayer ? legible / BASE : scaleOf(label, wide, camera, legible);
    const best = { ...placeOf(label, wide, scale, sight), wording };
    if (isOfLayer && label.over) best.x = (label.over.x - camera.x) * across;
    const last = isOfLayer ? Number.POSITIVE_INFINITY : Math.max(best.x, middle);
    const aside = ASIDE.map((by) => best.x + (k > OWN + 1 ? 2 * by : by)).map((x) =>
      x <= last ? { x } : null,
    );
    const places = [...aside, atEdge(best, label, sight)];
    return lowered(best).flatMap((place) => places.map((at) => place && at && { ...place, ...at }));
  });
}

/** Two labels side by side as one. @param {HeadingPlace} title @param {HeadingPlace} other */
function both(title, other) {
  const x = Math.min(title.x, other.x);
  const end = Math.max(...[title, other].map((each) => each.x + each.wide * each.scale));
  return { ...title, x, wide: (end - x) / title.scale };
}

/**
 * The place of a title at the edge of the view, if that edge cuts the title's part.
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
 * The places of a symbol if a part's symbols do not fit in one line: every second one is higher.
 * @param {PlacedHeading} heading @param {Sight} sight
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
