/**
 * Finds a free place near a point for a label that has several possible sizes: the hint, the bubble
 * at a dragged number, the caption, and the labels of a film.
 */

import { isOver, nearestIn, wider } from "./boxes.js";
import { lineObstacles, lineTo } from "./leader_line.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Point, Size} from "./boxes.js"
 * @import {Ringed} from "./leader_line.js"
 *
 * @typedef {Size & {extra?: number}} LabelSize `extra`: penalty, in CSS px of distance
 *
 * @typedef {object} Near
 * @property {Ringed} ringed
 * @property {number} [far] largest distance of a place, or largest cost of its line, in CSS px
 * @property {boolean} [isLined] whether a line leads to the place; true by default
 * @property {Box} [corner] allowed area of the upper left corner; by default all within `far`
 *
 * @typedef {{box: Box, way: Point[], size: LabelSize}} NearPlace `way`: corners of the line
 */

const STEPS = [14, 5]; // CSS px between candidate places; the finer step for a second search
const AROUND = 3; // CSS px between the label and obstacles
const EDGE = 4; // CSS px between the label and the edges of the view
/** Default largest distance: the larger of these CSS px and this share of the view's height. */
const FAR = { px: 240, share: 0.3 };

/**
 * Returns the free place at the least distance. When the number moves, the label keeps its position
 * relative to the number, as long as this position is free and no better size has a place.
 * @param {readonly LabelSize[]} sizes @param {Near} near @param {Size} view
 * @param {readonly Box[]} obstacles
 * @param {{place: NearPlace, at: Point} | null} [before] the last place, and the ring's center
 * @returns {NearPlace | null} null if no place is free near the point
 */
export function placeNear(sizes, near, view, obstacles, before = null) {
  const { ringed, isLined = true } = near;
  const { at } = ringed;
  const far = near.far ?? Math.max(FAR.px, FAR.share * view.height);
  const smallest = sizes.filter(isSmallest);
  const widest = Math.max(0, ...smallest.map(({ width, height }) => Math.max(width, height)));
  const inReach = wider({ ...at, width: 0, height: 0 }, far + widest);
  const close = obstacles.filter((box) => isOver(box, inReach));
  const taken = close.map((box) => wider(box, AROUND));
  const lines = lineObstacles(close, ringed);
  const isFree = (/** @type {Box} */ box) => !taken.some((each) => isOver(box, each));
  const kept = before && keptPlace(before);
  const isBetter = (/** @type {LabelSize} */ { extra = 0 }) =>
    !kept || extra < (kept.size.extra ?? 0);
  const better = smallest.filter(isBetter);
  for (const step of STEPS) {
    const places = better.flatMap((size) => placesOf(size, near, view, far, step));
    const best = cheapest(places.filter(({ box }) => isFree(box)));
    if (best) return best;
  }
  return kept;

  /** @param {Box} box @param {number} most CSS px */
  function wayTo(box, most) {
    if (isLined) return lineTo(box, ringed, lines, most);
    const cost = Math.hypot(box.x - at.x, box.y - at.y);
    return cost < most ? { way: [], cost } : null;
  }

  /** @param {{place: NearPlace, at: Point}} before */
  function keptPlace({ place, at: was }) {
    const { width, height, x, y } = place.box;
    const size = smallest.find((each) => each.width === width && each.height === height);
    const box = { x: x + at.x - was.x, y: y + at.y - was.y, width, height };
    if (!size || !isFree(box) || !isInside(box, view)) return null;
    const way = wayTo(box, far)?.way;
    return way ? { box, way, size } : null;
  }

  /** @param {Candidate[]} places */
  function cheapest(places) {
    let best = /** @type {NearPlace | null} */ (null);
    let least = Number.POSITIVE_INFINITY;
    for (const { size, box, away } of places.sort((a, b) => a.away - b.away)) {
      if (away >= least) break;
      const { extra = 0 } = size;
      const found = wayTo(box, Math.min(far, least - extra));
      if (!found) continue;
      best = { box, way: found.way, size };
      least = found.cost + extra;
    }
    return best;
  }
}

/**
 * Whether no other size is at most as wide, as high and as costly.
 * @param {LabelSize} size @param {number} k @param {readonly LabelSize[]} sizes
 */
function isSmallest({ width, height, extra = 0 }, k, sizes) {
  return !sizes.some((other, at) => {
    const [x, y, z] = [width - other.width, height - other.height, extra - (other.extra ?? 0)];
    return x >= 0 && y >= 0 && z >= 0 && (x + y + z > 0 || at < k);
  });
}

/** @param {Box} box @param {Size} view */
const isInside = ({ x, y, width, height }, view) =>
  x >= EDGE && y >= EDGE && x + width <= view.width - EDGE && y + height <= view.height - EDGE;

/** @typedef {{box: Box, size: LabelSize, away: number}} Candidate `away`: least possible cost */

/**
 * The candidate places of a label of one size, on a grid.
 * @param {LabelSize} size @param {Near} near @param {Size} view @param {number} far CSS px
 * @param {number} step CSS px
 */
function placesOf(size, { ringed: { at }, corner, isLined = true }, view, far, step) {
  const { width, height, extra = 0 } = size;
  const [w, h] = [far + width, far + height];
  const area = corner ?? { x: at.x - w, y: at.y - h, width: w + far, height: h + far };
  const last = {
    x: Math.min(view.width - width - EDGE, area.x + area.width),
    y: Math.min(view.height - height - EDGE, area.y + area.height),
  };
  const found = [];
  for (let y = Math.max(EDGE, area.y); y <= last.y; y += step)
    for (let x = Math.max(EDGE, area.x); x <= last.x; x += step) {
      const box = { x, y, width, height };
      const end = isLined ? nearestIn(box, at) : box;
      const away = Math.hypot(end.x - at.x, end.y - at.y);
      if (away < far) found.push({ size, box, away: away + extra });
    }
  return found;
}
