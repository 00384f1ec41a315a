/**
 * Which part of the picture is in sight: `x` and `y` are its units at the upper left corner of the
 * view, `zoom` is CSS px a unit.
 */

/** @import {Rect} from "./plan.js" */

/** @typedef {{x: number, y: number, zoom: number}} Camera */
/** @typedef {{width: number, height: number}} Size */

const MARGIN = 14; // CSS px round what fits
const MAX_ZOOM = 28;
const KEPT = 60; // CSS px of the picture that stay in sight, however far it is panned

/** All of a rectangle, in the middle of the view. @param {Rect} rect @param {Size} view */
export function fit(rect, view, margin = MARGIN) {
  const zoom = Math.min(
    MAX_ZOOM,
    Math.max(0.02, (view.width - 2 * margin) / rect.width),
    Math.max(0.02, (view.height - 2 * margin) / rect.height),
  );
  return {
    x: rect.x + rect.width / 2 - view.width / zoom / 2,
    y: rect.y + rect.height / 2 - view.height / zoom / 2,
    zoom,
  };
}

/**
 * Nearer or farther, while what is at (px, py) of the view stays there.
 * @param {Camera} camera @param {number} factor @param {number} px @param {number} py
 * @param {number} least the zoom at which all fits
 */
export function zoomed(camera, factor, px, py, least) {
  const zoom = Math.min(MAX_ZOOM, Math.max(least * 0.5, camera.zoom * factor));
  return {
    x: camera.x + px / camera.zoom - px / zoom,
    y: camera.y + py / camera.zoom - py / zoom,
    zoom,
  };
}

/** @param {Camera} camera @param {number} dx CSS px @param {number} dy CSS px */
export const panned = ({ x, y, zoom }, dx, dy) => ({ x: x - dx / zoom, y: y - dy / zoom, zoom });

/**
 * The same, moved so that some of the picture is in sight.
 * @param {Camera} camera @param {Size} picture @param {Size} view
 */
export function within({ x, y, zoom }, picture, view) {
  const [kx, ky] = [KEPT / zoom, KEPT / zoom];
  return {
    x: Math.min(Math.max(x, kx - view.width / zoom), picture.width - kx),
    y: Math.min(Math.max(y, ky - view.height / zoom), picture.height - ky),
    zoom,
  };
}

/**
 * The way from one to another, by the share of it that is done. What is between is passed at an
 * even speed of magnification.
 * @param {Camera} from @param {Camera} to @param {number} share 0 … 1 @param {Size} view
 */
export function between(from, to, share, view) {
  if (share >= 1) return to;
  const zoom = from.zoom * (to.zoom / from.zoom) ** share;
  // In the middle of the view, positions go as the size of a unit does, so that it is a straight
  // way on screen.
  const span = 1 / to.zoom - 1 / from.zoom;
  const t = Math.abs(span) < 1e-9 ? share : (1 / zoom - 1 / from.zoom) / span;
  const cx = (/** @type {Camera} */ c) => c.x + view.width / 2 / c.zoom;
  const cy = (/** @type {Camera} */ c) => c.y + view.height / 2 / c.zoom;
  return {
    x: cx(from) + (cx(to) - cx(from)) * t - view.width / 2 / zoom,
    y: cy(from) + (cy(to) - cy(from)) * t - view.height / 2 / zoom,
    zoom,
  };
}
