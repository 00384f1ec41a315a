/**
 * Geometry of boxes in CSS px of the view: overlap, covered area, and lines that cross boxes.
 * @import {Box} from "../paint/view.js"
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{width: number, height: number}} Size
 */

const SAMPLE = 6; // CSS px between two sample points of a line

/** Whether two boxes overlap. @param {Box} a @param {Box} b */
export const isOver = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** @param {Box} box @param {number} by CSS px on each side @returns {Box} */
export const wider = ({ x, y, width, height }, by) => ({
  ...{ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by },
});

/** The point of a box that is nearest to a given point. @param {Box} box @param {Point} point */
export const nearestIn = ({ x, y, width, height }, point) => ({
  x: Math.max(x, Math.min(x + width, point.x)),
  y: Math.max(y, Math.min(y + height, point.y)),
});

/** The area of `boxes` that a box covers, px². @param {Box} over @param {readonly Box[]} boxes */
export function coveredBy(over, boxes) {
  let sum = 0;
  for (const { x, y, width, height } of boxes) {
    const across = Math.min(over.x + over.width, x + width) - Math.max(over.x, x);
    const down = Math.min(over.y + over.height, y + height) - Math.max(over.y, y);
    if (across > 0 && down > 0) sum += across * down;
  }
  return sum;
}

/**
 * The total length, in px, of the parts of a straight line that lie over boxes.
 * @param {Point} from @param {Point} to @param {readonly Box[]} boxes
 */
export function crossedBy(from, to, boxes) {
  const long = Math.hypot(to.x - from.x, to.y - from.y);
  const count = Math.ceil(long / SAMPLE);
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  const along = boxes.filter(
    ({ x, y, width, height }) =>
      x <= right && x + width >= left && y <= bottom && y + height >= top,
  );
  let over = 0;
  for (let k = 0; k < count; k++) {
    const share = (k + 0.5) / count;
    const x = from.x + (to.x - from.x) * share;
    const y = from.y + (to.y - from.y) * share;
    const isOn = (/** @type {Box} */ box) =>
      x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
    if (along.some(isOn)) over += long / count;
  }
  return over;
}
