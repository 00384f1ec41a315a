/**
 * Where what is said of a number has a place of its own: it covers nothing that is drawn, and a
 * line leads from it to the number through the gaps between what is drawn.
 */

import { covers, nearestIn } from "./free_place.js";

/**
 * @import {Box, GridView} from "../paint/view.js"
 * @import {Point} from "../film/ink.js"
 * @import {Size} from "./camera.js"
 *
 * @typedef {object} Marked a number with a ring
 * @property {Point} at its middle, CSS px of the view
 * @property {number} radius of the ring
 * @property {Box} cell the number @property {Box} matrix that it is in
 * @property {number} gap CSS px between two rows of the matrix
 *
 * @typedef {Size & {extra?: number}} HintSize and CSS px by which it counts as farther away
 * @typedef {{box: Box, way: Point[], size: HintSize}} HintPlace with the corners of the line
 * @typedef {{box: Box, size: HintSize, least: number}} Candidate with the least that it can cost
 */

const STEPS = [14, 5]; // CSS px between two places that are tried; the finer where none is free
const AROUND = 3; // CSS px that stay free round it
const EDGE = 4; // and to the edges of the view
/** CSS px, about, that the line is long at most; or the share of the view's height. */
const FAR = { px: 210, share: 0.3 };
const CLEAR = 1.5; // CSS px that it keeps off what is drawn
const ROUNDED = 4; // CSS px by which two boxes of a matrix differ at most
const CROSSED = 8; // CSS px that a px over what is drawn counts
const BENT = 8; // and a corner
const BESIDE = { before: 3, after: 4 }; // CSS px from a matrix to the line along it
const INSIDE = 5; // CSS px from a corner of the text to the line's end

/**
 * @param {GridView} view @param {number} i @param {number} j @param {number} radius
 * @returns {Marked}
 */
export function markedOf(view, i, j, radius) {
  const { rows, cols } = view.matrix;
  const cell = view.boxOf(i, j);
  const [first, last] = [view.boxOf(0, 0), view.boxOf(rows - 1, cols - 1)];
  const matrix = {
    ...{ x: first.x, y: first.y },
    ...{ width: last.x + last.width - first.x, height: last.y + last.height - first.y },
  };
  const gap = rows > 1 ? (matrix.height - rows * cell.height) / (rows - 1) : 0;
  const at = { x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 };
  return { at, radius, cell, matrix, gap };
}

/**
 * The place of one of some sizes from which the line is the shortest.
 * @param {readonly HintSize[]} sizes
 * @param {Marked} marked @param {Size} view
 * @param {readonly Box[]} drawn what is not to be covered
 * @returns {HintPlace | null} null if none is free near it
 */
export function hintPlace(sizes, marked, view, drawn) {
  const { at, matrix } = marked;
  const far = Math.max(FAR.px, FAR.share * view.height);
  const some = sizes.filter(isSmallest);
  const widest = Math.max(0, ...some.map(({ width, height }) => Math.max(width, height)));
  const inReach = wider({ ...at, width: 0, height: 0 }, far + widest);
  const near = drawn.filter((box) => isOver(box, inReach));
  const taken = near.map((box) => wider(box, AROUND));
  const around = near.map((box) => wider(box, CLEAR));
  // From its number to the side of its own matrix the line runs between two rows.
  const others = around.filter((_, k) => !isSame(near[k], matrix));
  for (const step of STEPS) {
    const places = some.flatMap((size) => placesNear(view, size, at, far, step));
    const free = places.filter(({ box }) => !taken.some((each) => isOver(box, each)));
    const best = cheapest(free.sort((a, b) => a.least - b.least));
    if (best) return best;
  }
  return null;

  /** @param {Candidate[]} places those that can be cheapest first @returns {HintPlace | null} */
  function cheapest(places) {
    let best = /** @type {HintPlace | null} */ (null);
    let least = Number.POSITIVE_INFINITY;
    for (const { size, box, least: bound } of places) {
      if (bound >= least) break;
      const { extra = 0 } = size;
      for (const way of waysTo(box, marked)) {
        const most = Math.min(far, least - extra);
        const cost = costOf(way, way.length > 2 ? others : around, most);
        if (cost >= most) continue;
        best = { box, way, size };
        least = cost + extra;
      }
    }
    return best;
  }
}

/**
 * Whether no other size that costs no more is as low and as narrow.
 * @param {HintSize} size @param {number} k @param {readonly HintSize[]} sizes
 */
function isSmallest({ width, height, extra = 0 }, k, sizes) {
  return !sizes.some((other, at) => {
    const [x, y, z] = [width - other.width, height - other.height, extra - (other.extra ?? 0)];
    return x >= 0 && y >= 0 && z >= 0 && (x + y + z > 0 || at < k);
  });
}

/** Whether two boxes have a part in common. @param {Box} a @param {Box} b */
const isOver = (a, b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * Lines from the ring to a box: straight, or along a side of its matrix.
 * @param {Box} box @param {Marked} marked @returns {Point[][]}
 */
function waysTo(box, { at, radius, cell, matrix, gap }) {
  const end = nearestIn(box, at);
  const long = Math.hypot(end.x - at.x, end.y - at.y);
  const share = Math.min(1, radius / Math.max(1, long));
  const straight = [{ x: at.x + (end.x - at.x) * share, y: at.y + (end.y - at.y) * share }, end];
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
    const isOver = x >= box.x + INSIDE && x <= box.x + box.width - INSIDE;
    if (isOver) return [...start(), { x, y: goesDown ? box.y : box.y + box.height }];
    const y = nearestIn(wider(box, -INSIDE), { x, y: at.y }).y;
    return [...start(), { x, y }, { x: x < box.x ? box.x : box.x + box.width, y }];
  }
}

/**
 * How long a way is, and what it crosses.
 * @param {Point[]} way @param {readonly Box[]} drawn
 * @param {number} most from which on it is of no use
 */
function costOf(way, drawn, most) {
  const legs = way.slice(1).map((to, k) => ({ from: way[k], to }));
  let cost = BENT * (legs.length - 1);
  for (const { from, to } of legs) cost += Math.hypot(to.x - from.x, to.y - from.y);
  for (const { from, to } of legs) {
    if (cost >= most) return most;
    cost += CROSSED * covers(from, to, drawn);
  }
  return cost;
}

/**
 * Whether they are of the same matrix, with or without what is between its rows.
 * @param {Box} a @param {Box} b
 */
const isSame = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.width - b.width) < ROUNDED;

/** The other leg of a triangle. @param {number} long @param {number} one */
const leg = (long, one) => Math.sqrt(Math.max(0, long ** 2 - one ** 2));

/** @param {Box} box @param {number} by CSS px @returns {Box} */
const wider = ({ x, y, width, height }, by) => ({
  ...{ x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by },
});

/**
 * @param {Size} view @param {HintSize} size @param {Point} at @param {number} far CSS px
 * @param {number} step CSS px
 * @returns {Candidate[]}
 */
function placesNear(view, size, at, far, step) {
  const { width, height, extra = 0 } = size;
  const found = [];
  const last = { x: view.width - width - EDGE, y: view.height - height - EDGE };
  const from = { x: Math.max(EDGE, at.x - far - width), y: Math.max(EDGE, at.y - far - height) };
  for (let y = from.y; y <= Math.min(last.y, at.y + far); y += step)
    for (let x = from.x; x <= Math.min(last.x, at.x + far); x += step) {
      const box = { x, y, width, height };
      const near = nearestIn(box, at);
      const away = Math.hypot(near.x - at.x, near.y - at.y);
      if (away < far) found.push({ size, box, least: away + extra });
    }
  return found;
}
