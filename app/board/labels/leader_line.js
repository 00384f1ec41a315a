/** Leader lines from a ring around a number to its label. */

import { crossedBy, nearestIn, wider } from "./boxes.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Point} from "./boxes.js"
 *
 * @typedef {object} Ringed the number to which a label belongs
 * @property {Point} at center of the ring, CSS px of the view
 * @property {number} radius of the ring
 * @property {InMatrix} [within] present if the line may run along the matrix of the number
 *
 * @typedef {object} InMatrix
 * @property {Box} cell box of the number @property {Box} matrix
 * @property {number} gap CSS px between two rows of the matrix
 */

const CROSSED = 8; // cost of each px over an obstacle, in CSS px of length
const BENT = 8; // cost of each corner
const BESIDE = { before: 3, after: 4 }; // CSS px from a matrix to the line along it
const INSIDE = 5; // CSS px from a corner of the label to the line's end
const ROUNDED = 4; // CSS px by which two boxes of the same matrix may differ
const CLEAR = 1.5; // CSS px between a line and obstacles

/**
 * The obstacles of straight and of bent lines. A bent line runs between two rows of the number's
 * matrix, which is therefore no obstacle.
 * @param {readonly Box[]} obstacles @param {Ringed} ringed
 */
export function lineObstacles(obstacles, { within }) {
  const straight = obstacles.map((box) => wider(box, CLEAR));
  const bent = within ? straight.filter((_, k) => !isSame(obstacles[k], within.matrix)) : straight;
  return { straight, bent };
}

/**
 * The cheapest line from a ring to a label; null if every line costs at least the limit.
 * @param {Box} box the label's @param {Ringed} ringed
 * @param {ReturnType<typeof lineObstacles>} obstacles @param {number} most the limit, CSS px
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
 * Candidate lines from the ring to a box: straight, or along either side of the number's matrix.
 * @param {Box} box @param {Ringed} ringed
 */
function waysTo(box, { at, radius, within }) {
  const end = nearestIn(box, at);
  const long = Math.hypot(end.x - at.x, end.y - at.y);
  const share = Math.min(1, radius / Math.max(1, long));
  const straight = [{ x: at.x + (end.x - at.x) * share, y: at.y + (end.y - at.y) * share }, end];
  if (!within) return [straight];
  const { cell, matrix, gap } = within;
  const goesDown = box.y + box.height / 2 > at.y;
  // A line between two rows crosses no number.
  const between = goesDown ? cell.y + cell.height + gap / 2 : cell.y - gap / 2;
  const sides = [matrix.x - BESIDE.before, matrix.x + matrix.width + BESIDE.after];
  return [straight, ...sides.map((x) => along(x, between))];

  /** @param {number} x @param {number} row */
  function along(x, row) {
    const aside = Math.abs(x - at.x);
    const turn = x < at.x ? -1 : 1;
    const start = () => {
      if (aside <= radius) return [{ x, y: at.y + (goesDown ? 1 : -1) * leg(radius, aside) }];
      const y = aside <= radius + BESIDE.after ? at.y : row;
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
 * The cost of a line: its length plus penalties for corners and crossed obstacles.
 * @param {Point[]} way @param {readonly Box[]} obstacles
 * @param {number} most the cost from which the line is rejected
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

/** Whether two boxes are of one matrix, with or without row gaps. @param {Box} a @param {Box} b */
const isSame = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.width - b.width) < ROUNDED;

/** The other leg of a right triangle. @param {number} long hypotenuse @param {number} one leg */
const leg = (long, one) => Math.sqrt(Math.max(0, long ** 2 - one ** 2));
