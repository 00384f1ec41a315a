/** Lines from a ring round a number to the label that belongs to it. */

import { crossedBy, nearestIn, wider } from "./boxes.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Point} from "./boxes.js"
 *
 * @typedef {object} Ringed what a label belongs to
 * @property {Point} at its middle, CSS px of the view
 * @property {number} radius of the ring
 * @property {InMatrix} [within] where the line may run along the matrix of the number
 *
 * @typedef {object} InMatrix
 * @property {Box} cell the number @property {Box} matrix
 * @property {number} gap CSS px between two rows of the matrix
 */

const CROSSED = 8; // CSS px that a px over an obstacle counts
const BENT = 8; // and a corner
const BESIDE = { before: 3, after: 4 }; // CSS px from a matrix to the line along it
const INSIDE = 5; // CSS px from a corner of the label to the line's end
const ROUNDED = 4; // CSS px by which two boxes of a matrix differ at most
const CLEAR = 1.5; // CSS px that a line keeps off obstacles

/**
 * The obstacles of lines. From its number to the side of its own matrix a bent line runs between
 * two rows: the matrix itself is none.
 * @param {readonly Box[]} obstacles @param {Ringed} ringed
 */
export function lineObstacles(obstacles, { within }) {
  const straight = obstacles.map((box) => wider(box, CLEAR));
  const bent = within ? straight.filter((_, k) => !isSame(obstacles[k], within.matrix)) : straight;
  return { straight, bent };
}

/**
 * The cheapest line from a ring to a label, if one costs less than a limit.
 * @param {Box} box of the label @param {Ringed} ringed
 * @param {ReturnType<typeof lineObstacles>} obstacles @param {number} most CSS px
 * @returns {{way: Point[], cost: number} | null}
 */
export function lineTo(box, ringed, { straight, bent }, most) {
  let best = /** @type {{way: Point[], cost: number} | null} */ (null);
  for (const way of waysTo(box, ringed)) {
    const limit = best?.cost ?? most;
    const cost = costOf(way, way.length > 2 ? bent : straight, limit);
    if (cost < limit) best = { way, cost };
  }
  return best;
}

/**
 * Lines from the ring to a box: straight, or along a side of its matrix.
 * @param {Box} box @param {Ringed} ringed @returns {Point[][]}
 */
function waysTo(box, { at, radius, within }) {
  const end = nearestIn(box, at);
  const long = Math.hypot(end.x - at.x, end.y - at.y);
  const share = Math.min(1, radius / Math.max(1, long));
  const straight = [{ x: at.x + (end.x - at.x) * share, y: at.y + (end.y - at.y) * share }, end];
  if (!within) return [straight];
  const { cell, matrix, gap } = within;
  const goesDown = box.y + box.height / 2 > at.y;
  // Between its row and the next one no number is crossed.
  const between = goesDown ? cell.y + cell.height + gap / 2 : cell.y - gap / 2;
  const sides = [matrix.x - BESIDE.before, matrix.x + matrix.width + BESIDE.after];
  return [straight, ...sides.map((x) => along(x, between))];

  /** @param {number} x @param {number} row */
  function along(x, row) {
    const aside = Math.abs(x - at.x);
    const turn = x < at.x ? -1 : 1;
    const start = () => {
      if (aside <= radius) return [{ x, y: at.y + (goesDown ? 1 : -1) * leg(radius, aside) }];
      const y = aside <= radius + INSIDE ? at.y : row;
      const down = y - at.y;
      if (Math.abs(down) > radius)
        return [
          { x: at.x, y: at.y + Math.sign(down) * radius },
          { x: at.x, y },
          { x, y },
        ];
      return [
        { x: at.x + turn * leg(radius, Math.abs(y - at.y)), y },
        { x, y },
      ];
    };
    const isAbove = x >= box.x + INSIDE && x <= box.x + box.width - INSIDE;
    if (isAbove) return [...start(), { x, y: goesDown ? box.y : box.y + box.height }];
    const y = nearestIn(wider(box, -INSIDE), { x, y: at.y }).y;
    return [...start(), { x, y }, { x: x < box.x ? box.x : box.x + box.width, y }];
  }
}

/**
 * The length of a line, with what it crosses and its corners.
 * @param {Point[]} way @param {readonly Box[]} obstacles
 * @param {number} most from which on it is of no use
 */
function costOf(way, obstacles, most) {
  const legs = way.slice(1).map((to, k) => ({ from: way[k], to }));
  let cost = BENT * (legs.length - 1);
  for (const { from, to } of legs) cost += Math.hypot(to.x - from.x, to.y - from.y);
  for (const { from, to } of legs) {
    if (cost >= most) return most;
    cost += CROSSED * crossedBy(from, to, obstacles);
  }
  return cost;
}

/**
 * Whether they are of the same matrix, with or without the gaps between its rows.
 * @param {Box} a @param {Box} b
 */
const isSame = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.width - b.width) < ROUNDED;

/** The other leg of a right triangle. @param {number} long @param {number} one */
const leg = (long, one) => Math.sqrt(Math.max(0, long ** 2 - one ** 2));
