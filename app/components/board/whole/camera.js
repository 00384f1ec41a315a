/**
 * Which part of the picture is in sight: `x` and `y` are its units at the upper left corner of the
 * view, `zoom` is CSS px a unit across. Downward a unit is never less than `tall` px, so that a
 * picture that is much wider than high still fills the view; and beyond `deep` px it hardly grows,
 * since cells are higher than wide and numbers need no more. Across, a unit is `wide` times as long
 * as downward, so that a picture that would leave the sides of the view empty fills them.
 */

/** @import {Rect} from "./plan.js" */

/**
 * @typedef {object} Limits
 * @property {number} tall @property {number} deep @property {number} wide
 * @property {number} most of the zoom
 *
 * @typedef {{x: number, y: number, zoom: number} & Limits} Camera
 * @typedef {{width: number, height: number}} Size
 *
 * @typedef {object} Rows of a part, in units
 * @property {number} height from its title to the last row
 * @property {number} cell the width of its widest cell
 * @property {number | null} at the middle of the row that is looked at
 */

const DIGITS = 31; // CSS px across a cell, from which it shows digits
const MARGIN = 14; // CSS px round what fits
const ACROSS = 0.92; // of the view's width that an unfolded part takes
const LEAST = 0.02;
const GROWS = 0.12; // the power by which height grows where it hardly does
const MAX_TALL = 1.1;
/** How much longer a unit may be across, and CSS px of it up to which it may be longer still. */
const MAX_WIDE = 1.35;
const WIDE_UNIT = 1.25;
const KEPT = 60; // CSS px of the picture that stay in sight, however far it is panned

/** CSS px a unit, downward. @param {{zoom: number} & Limits} camera */
const down = ({ zoom, tall, deep, wide }) => {
  const even = zoom / wide;
  return Math.max(tall, even <= deep ? even : deep * (even / deep) ** GROWS);
};

/** Both ways. @param {Camera} camera */
export const scales = (camera) => ({ across: camera.zoom, down: down(camera) });

/**
 * A rectangle of the picture in CSS px of the view, from a camera.
 * @param {Rect} rect @param {Camera} camera
 */
export function boxIn({ x, y, width, height }, camera) {
  const { across, down } = scales(camera);
  return {
    ...{ x: (x - camera.x) * across, y: (y - camera.y) * down },
    ...{ width: width * across, height: height * down },
  };
}

/**
 * How tall a unit is where a picture of this height just fits.
 * @param {number} height @param {Size} view
 */
export const tallOf = (height, view) =>
  Math.max(LEAST, Math.min(MAX_TALL, (view.height - 2 * MARGIN) / height));

/**
 * How much longer a unit is across than downward where a picture fits both ways.
 * @param {Size} picture @param {Size} view
 */
export function wideOf(picture, view) {
  const tall = tallOf(picture.height, view);
  const across = (view.width - 2 * MARGIN) / picture.width;
  return Math.max(1, Math.min(across / tall, Math.max(MAX_WIDE, WIDE_UNIT / tall)));
}

/**
 * All of a rectangle, in the middle of the view.
 * @param {Rect} rect @param {Size} view @param {Limits} limits @param {number} [margin]
 * @returns {Camera}
 */
export function fit(rect, view, limits, margin = MARGIN) {
  const across = Math.max(LEAST, (view.width - 2 * margin) / rect.width);
  const room = (view.height - 2 * margin) / rect.height;
  // Deeper than that nothing grows out of the view any more, however near it is.
  const most = Math.max(limits.tall, room) * limits.wide;
  const zoom = room >= limits.deep ? across : Math.min(across, most);
  const middle = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  return centered(middle, Math.max(LEAST, zoom), view, limits);
}

/**
 * A rectangle across most of the view, right of what stands at its left edge. Above and below the
 * picture nothing is left empty. So near that not all rows are in sight it goes only for the sake
 * of digits, and then to the row that is looked at, or else to the first.
 * @param {Rect} rect @param {Size} picture @param {Size} view @param {Limits} limits
 * @param {number} left CSS px
 * @param {Rows} [rows]
 * @returns {Camera}
 */
export function fitAcross(rect, picture, view, limits, left, rows) {
  const room = Math.max(1, view.width - left);
  const across = Math.max(LEAST, Math.min(limits.most, (ACROSS * room) / rect.width));
  let zoom = across;
  if (rows) {
    const most = (view.height - 2 * MARGIN) / rows.height;
    const all = zoomFor(Math.max(limits.tall, most), limits);
    const digits = DIGITS / rows.cell;
    if (all < zoom && (all >= digits || zoom < digits)) zoom = Math.max(LEAST, all);
  }
  const camera = { x: 0, y: 0, zoom, ...limits };
  const scale = down(camera);
  const above = Math.max(MARGIN, (view.height - rect.height * scale) / 2);
  const before = left + (room - rect.width * zoom) / 2;
  const last = picture.height + (MARGIN - view.height) / scale;
  const isCut = rows !== undefined && rows.height * scale > view.height;
  const top =
    isCut && rows.at !== null ? rows.at - view.height / 2 / scale : rect.y - above / scale;
  const y = Math.max(-MARGIN / scale, Math.min(top, last));
  return { ...camera, x: rect.x - before / zoom, y };
}

/**
 * The zoom at which a unit is so many CSS px downward.
 * @param {number} px @param {Limits} limits
 */
function zoomFor(px, { deep, wide }) {
  return wide * (px <= deep ? px : deep * (px / deep) ** (1 / GROWS));
}

/**
 * With a point of the picture in the middle of the view.
 * @param {{x: number, y: number}} middle @param {number} zoom @param {Size} view
 * @param {Limits} limits
 * @returns {Camera}
 */
export function centered({ x, y }, zoom, view, { tall, deep, wide, most }) {
  const camera = { x, y, zoom: Math.min(most, zoom), tall, deep, wide, most };
  return {
    ...camera,
    x: x - view.width / 2 / camera.zoom,
    y: y - view.height / 2 / down(camera),
  };
}

/**
 * Nearer or farther, while what is at (px, py) of the view stays there.
 * @param {Camera} camera @param {number} factor @param {number} px @param {number} py
 * @param {number} least the zoom at which all fits
 * @returns {Camera}
 */
export function zoomed(camera, factor, px, py, least) {
  const zoom = Math.min(camera.most, Math.max(least * 0.5, camera.zoom * factor));
  const next = { ...camera, zoom };
  return {
    ...next,
    x: camera.x + px / camera.zoom - px / zoom,
    y: camera.y + py / down(camera) - py / down(next),
  };
}

/**
 * @param {Camera} camera @param {number} dx CSS px @param {number} dy CSS px
 * @returns {Camera}
 */
export const panned = (camera, dx, dy) => ({
  ...camera,
  x: camera.x - dx / camera.zoom,
  y: camera.y - dy / down(camera),
});

/**
 * The same, moved so that some of the picture is in sight.
 * @param {Camera} camera @param {Size} picture @param {Size} view
 * @returns {Camera}
 */
export function within(camera, picture, view) {
  const [kx, ky] = [KEPT / camera.zoom, KEPT / down(camera)];
  return {
    ...camera,
    x: Math.min(Math.max(camera.x, kx - view.width / camera.zoom), picture.width - kx),
    y: Math.min(Math.max(camera.y, ky - view.height / down(camera)), picture.height - ky),
  };
}

/**
 * The way from one to another, by the share of it that is done. What is between is passed at an
 * even speed of magnification.
 * @param {Camera} from @param {Camera} to @param {number} share 0 … 1 @param {Size} view
 * @returns {Camera}
 */
export function between(from, to, share, view) {
  if (share >= 1) return to;
  const zoom = from.zoom * (to.zoom / from.zoom) ** share;
  const now = { ...to, zoom };
  /**
   * In the middle of the view, positions go as the size of a unit does: a straight way on screen.
   * @param {number} a @param {number} b @param {number} size of a unit at the beginning
   * @param {number} goal its size at the end @param {number} present @param {number} wide
   */
  const along = (a, b, size, goal, present, wide) => {
    const span = 1 / goal - 1 / size;
    const t = Math.abs(span) < 1e-9 ? share : (1 / present - 1 / size) / span;
    const [start, end] = [a + wide / 2 / size, b + wide / 2 / goal];
    return start + (end - start) * t - wide / 2 / present;
  };
  return {
    ...now,
    x: along(from.x, to.x, from.zoom, to.zoom, zoom, view.width),
    y: along(from.y, to.y, down(from), down(to), down(now), view.height),
  };
}
