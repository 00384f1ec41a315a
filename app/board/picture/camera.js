/**
 * The camera determines which part of the picture is in sight. `x` and `y` are the picture
 * coordinates of the view's upper left corner, `zoom` is the horizontal scale in CSS px per unit.
 * The vertical scale is never below `tall`, so that a picture much wider than high still fills the
 * view. Beyond `deep` it hardly grows, because numbers need no higher cells. Between these limits
 * the horizontal scale is `wide` times the vertical one, so that the picture does not leave the
 * sides of the view empty. Folded stretches of the height take no px.
 */

import { DIGITS } from "../paint/layout.js";
import { foldedTo, OPENING, unfoldedFrom } from "./folds.js";

/**
 * @import {Folds} from "./folds.js"
 * @import {Rect} from "./plan.js"
 */

/**
 * @typedef {object} Limits
 * @property {number} tall @property {number} deep @property {number} wide
 * @property {number} most the largest zoom
 * @property {Folds} folds
 *
 * @typedef {{x: number, y: number, zoom: number} & Limits} Camera
 * @typedef {{width: number, height: number}} Size
 *
 * @typedef {object} Rows of a part, in units
 * @property {number} height from its title to the last row
 * @property {number} cell the width of its widest cell
 * @property {number | null} at the middle of the row in focus
 * @property {boolean} [isWhole] whether the part is to be in sight with its weights at any zoom
 */

export const PHONE_WIDTH = 600; // CSS px; a narrower view is that of a phone
const MARGIN = 14; // CSS px around a rectangle that fits
export const EDGE = 3; // the least margin, if a larger one leaves too little room
const ACROSS = 0.92; // share of the view's width that an unfolded part takes
const WHOLE = 0.7; // weights are fitted into the view only if this share of the zoom remains
const LEAST = 0.02;
const GROWS = 0.12; // exponent of the vertical scale beyond `deep`
/** The largest `tall`, with several stacks and with a single stack, which has fewer rows. */
const MAX_TALL = 1.4;
export const MAX_TALL_ALONE = 1.8;
/** The largest `wide`, exceeded only up to a horizontal scale of WIDE_UNIT CSS px per unit. */
const MAX_WIDE = 1.35;
const WIDE_UNIT = 1.25;
const KEPT = 60; // CSS px of the picture that always stay in sight

/** The vertical scale, CSS px per unit. @param {{zoom: number} & Limits} camera */
const down = ({ zoom, tall, deep, wide }) => {
  const even = zoom / wide;
  return Math.max(tall, even <= deep ? even : deep * (even / deep) ** GROWS);
};

/** Both scales, in CSS px per unit. @param {Camera} camera */
export const scales = (camera) => ({ across: camera.zoom, down: down(camera) });

/**
 * The distance in CSS px from the upper edge of the view down to `y` in the picture.
 * @param {Camera} camera @param {number} y
 */
export const placeDown = (camera, y) =>
  (foldedTo(camera, y) - foldedTo(camera, camera.y)) * down(camera);

/**
 * The y in the picture at a distance in CSS px below the upper edge of the view.
 * @param {Camera} camera @param {number} px
 */
export const heightAt = (camera, px) =>
  unfoldedFrom(camera, foldedTo(camera, camera.y) + px / down(camera));

/**
 * The camera moved vertically so that `y` is `px` CSS px below the upper edge of the view.
 * @param {Camera} camera @param {number} y @param {number} px @returns {Camera}
 */
export const withAt = (camera, y, px) => ({
  ...camera,
  y: unfoldedFrom(camera, foldedTo(camera, y) - px / down(camera)),
});

/** A rectangle of the picture in CSS px of the view. @param {Rect} rect @param {Camera} camera */
export function boxIn({ x, y, width, height }, camera) {
  const { across } = scales(camera);
  const [top, bottom] = [placeDown(camera, y), placeDown(camera, y + height)];
  return {
    ...{ x: (x - camera.x) * across, y: top },
    ...{ width: width * across, height: bottom - top },
  };
}

/** @param {Size} view @param {number} px by which the result is narrower @returns {Size} */
export const narrower = (view, px) => ({ ...view, width: Math.max(60, view.width - px) });

/**
 * The vertical scale at which a height just fits the view.
 * @param {number} height @param {Size} view @param {number} [most]
 */
export const tallOf = (height, view, most = MAX_TALL) =>
  Math.max(LEAST, Math.min(most, (view.height - 2 * MARGIN) / height));

/** The scale at which a width just fits the view. @param {number} width @param {Size} view */
export const acrossOf = (width, view) => Math.max(LEAST, (view.width - 2 * MARGIN) / width);

/**
 * The ratio of the horizontal to the vertical scale at which a picture fits both ways.
 * @param {Size} picture @param {Size} view @param {number} [most] largest vertical scale
 */
export function wideOf(picture, view, most) {
  const tall = tallOf(picture.height, view, most);
  const across = acrossOf(picture.width, view);
  return Math.max(1, Math.min(across / tall, Math.max(MAX_WIDE, WIDE_UNIT / tall)));
}

/**
 * The camera that centers a rectangle in the view, without the stretches folded at its zoom.
 * @param {Rect} rect @param {Size} view @param {Limits} limits @param {number} [margin]
 */
export function fit(rect, view, limits, margin = MARGIN) {
  const across = Math.max(LEAST, (view.width - 2 * margin) / rect.width);
  const { folds } = limits;
  const heightFrom = (/** @type {number} */ zoom) =>
    foldedTo({ zoom, folds }, rect.y + rect.height) - foldedTo({ zoom, folds }, rect.y);
  const roomFrom = (/** @type {number} */ from) => (view.height - 2 * margin) / heightFrom(from);
  const zoomFrom = (/** @type {number} */ from) => {
    const room = roomFrom(from);
    // Beyond `deep` the height hardly grows, so that only the width limits the zoom.
    const most = Math.max(limits.tall, room) * limits.wide;
    return Math.max(LEAST, room >= limits.deep ? across : Math.min(across, most));
  };
  // Beyond the zoom at which folds begin to open, the rectangle has to fit unfolded.
  const near = Math.min(zoomFrom(0), folds.opens / OPENING);
  const unfolded = roomFrom(folds.opens) >= limits.tall ? zoomFrom(folds.opens) : 0;
  const zoom = folds.gaps.length ? Math.max(near, unfolded) : zoomFrom(0);
  const middle = { x: rect.x + rect.width / 2, y: rect.y };
  const camera = centered(middle, zoom, view, limits);
  return withAt(camera, rect.y, (view.height - heightFrom(camera.zoom) * down(camera)) / 2);
}

/**
 * The camera that shows a rectangle across most of the view, right of the words at the left edge,
 * without empty space above or below the picture. If not all weights below the rows have room, none
 * is in sight, unless the part must be whole. Rows are cut off only to make digits legible; the
 * camera then centers on the row in focus, or starts at the first row.
 * @param {Rect} rect @param {Size} picture @param {Size} view @param {Limits} limits
 * @param {number} left CSS px that words take at the left edge
 * @param {Rows} [rows] @returns {Camera}
 */
export function fitAcross(rect, picture, view, limits, left, rows) {
  const room = Math.max(1, view.width - left);
  const across = Math.max(LEAST, Math.min(limits.most, (ACROSS * room) / rect.width));
  let zoom = across;
  if (rows) {
    const digits = DIGITS / rows.cell;
    const isWorth = (/** @type {number} */ all) => rows.isWhole || all >= digits || zoom < digits;
    const zoomOf = (/** @type {number} */ height, /** @type {number} */ below) =>
      zoomFor(Math.max(limits.tall, (view.height - MARGIN - below) / height), limits);
    // Include the weights below the rows if that does not make the part much smaller.
    const whole = zoomOf(rect.height, MARGIN);
    const least = (view.height - 2 * EDGE) / rect.height;
    const isNear = rows.isWhole || whole >= WHOLE * zoom;
    const fits = least >= limits.tall && isNear && isWorth(whole);
    const all = fits ? whole : zoomOf(rows.height, EDGE);
    if (all < zoom && isWorth(all)) zoom = Math.max(LEAST, all);
  }
  const camera = { x: 0, y: 0, zoom, ...limits };
  const scale = down(camera);
  const before = left + (room - rect.width * zoom) / 2;
  /** @param {number} at y in the picture @param {number} px below the view's upper edge */
  const topFor = (at, px) => withAt(camera, at, px).y;
  const first = -MARGIN / scale;
  const last = topFor(picture.height, view.height - MARGIN);
  const inside = (/** @type {number} */ y) => Math.max(first, Math.min(y, last));
  const spare = view.height - rect.height * scale;
  const y = () => {
    if (spare >= 0) {
      // Show the picture down to its end if only a little of it would be hidden otherwise.
      const end = topFor(picture.height, view.height - EDGE);
      const middle = inside(topFor(rect.y, spare / 2));
      return end <= topFor(rect.y, EDGE) ? Math.max(middle, end) : middle;
    }
    if (rows && rows.height * scale <= view.height)
      return topFor(rect.y + rows.height, view.height - EDGE);
    const at = rows?.at ?? null;
    return inside(at === null ? topFor(rect.y, MARGIN) : topFor(at, view.height / 2));
  };
  return { ...camera, x: rect.x - before / zoom, y: y() };
}

/** The zoom at which the vertical scale is `px`. @param {number} px @param {Limits} limits */
function zoomFor(px, { deep, wide }) {
  return wide * (px <= deep ? px : deep * (px / deep) ** (1 / GROWS));
}

/**
 * The camera with a point of the picture in the middle of the view.
 * @param {{x: number, y: number}} middle @param {number} zoom @param {Size} view
 * @param {Limits} limits
 */
export function centered({ x, y }, zoom, view, { tall, deep, wide, most, folds }) {
  const camera = { x, y, zoom: Math.min(most, zoom), tall, deep, wide, most, folds };
  return withAt({ ...camera, x: x - view.width / 2 / camera.zoom }, y, view.height / 2);
}

/**
 * The camera zoomed by a factor around the point (px, py) of the view.
 * @param {Camera} camera @param {number} factor @param {number} px @param {number} py
 * @param {number} least the zoom at which the whole picture fits
 */
export function zoomed(camera, factor, px, py, least) {
  const zoom = Math.min(camera.most, Math.max(least * 0.5, camera.zoom * factor));
  const next = { ...camera, zoom };
  const x = camera.x + px / camera.zoom - px / zoom;
  return withAt({ ...next, x }, heightAt(camera, py), py);
}

/**
 * The camera panned so that the picture moves by (dx, dy).
 * @param {Camera} camera @param {number} dx CSS px @param {number} dy CSS px
 * @returns {Camera}
 */
export const panned = (camera, dx, dy) => ({
  ...camera,
  x: camera.x - dx / camera.zoom,
  y: heightAt(camera, -dy),
});

/**
 * The camera, moved if necessary so that some of the picture is in sight.
 * @param {Camera} camera @param {Size} picture @param {Size} view @returns {Camera}
 */
export function within(camera, picture, view) {
  const [kx, ky] = [KEPT / camera.zoom, KEPT / down(camera)];
  const y = foldedTo(camera, camera.y);
  const least = ky - view.height / down(camera);
  const kept = Math.min(Math.max(y, least), foldedTo(camera, picture.height) - ky);
  return {
    ...camera,
    x: Math.min(Math.max(camera.x, kx - view.width / camera.zoom), picture.width - kx),
    y: kept === y ? camera.y : unfoldedFrom(camera, kept),
  };
}

/**
 * Interpolates between two cameras. The zoom changes exponentially, at an even rate.
 * @param {Camera} from @param {Camera} to @param {number} share 0 … 1 @param {Size} view
 * @returns {Camera}
 */
export function between(from, to, share, view) {
  if (share >= 1) return to;
  const zoom = from.zoom * (to.zoom / from.zoom) ** share;
  const now = { ...to, zoom };
  /**
   * Interpolates the position of the view's middle, linearly in 1 / scale: a straight path.
   * @param {number} a @param {number} b @param {number} size scale at the beginning
   * @param {number} goal scale at the end @param {number} present scale now
   * @param {number} wide size of the view
   */
  const along = (a, b, size, goal, present, wide) => {
    const span = 1 / goal - 1 / size;
    const t = Math.abs(span) < 1e-9 ? share : (1 / present - 1 / size) / span;
    const [start, end] = [a + wide / 2 / size, b + wide / 2 / goal];
    return start + (end - start) * t - wide / 2 / present;
  };
  // The upper edges of both views, with the folds of the present zoom.
  const top = (/** @type {Camera} */ camera) =>
    foldedTo(now, heightAt(camera, view.height / 2)) - view.height / 2 / down(camera);
  const y = along(top(from), top(to), down(from), down(to), down(now), view.height);
  return {
    ...now,
    x: along(from.x, to.x, from.zoom, to.zoom, zoom, view.width),
    y: unfoldedFrom(now, y),
  };
}
