/** Where something that lies over the picture covers the least of it. */

import { HEAD, LANE, LANE_ENDS } from "./plan.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Label, Plan, Rect} from "./plan.js"
 */

const STEP = 12; // CSS px between two places that are tried
const AROUND = 2; // CSS px that stay free round it
const EDGE = 8; // and to the edges of the view
const DETOUR = 1.5; // px² that it may cover, rather than be a px farther away
const STEM = 1.5; // px² that a px of the stem over what is not to be covered counts
const SAMPLE = 6; // CSS px of the stem
const ENDS = 60; // CSS px that the words at the ends of the lanes take
const LETTER = 6.2; // CSS px across a letter of a label, about
const LINE = 15; // CSS px of its height
const MOST_GROWN = 1.25; // times as large as these they are at most
const BUTTONS = { after: 50, wide: 480 }; // CSS px of those beside a title, right of its middle
const WORSE = 4; // times as bad it is to cover words and buttons, as cells
const SYMBOL = 4; // letters that a symbol is as wide as, about

/** @typedef {Box & {weight?: number}} Occupied with how bad it is to cover it; 1 by default */

/**
 * What is not to be covered: matrices, links, labels, and the words at the ends of the lanes.
 * @param {Plan} plan
 * @param {(rect: Rect) => Box} boxOf a rectangle of the picture in CSS px of the view
 * @returns {Occupied[]}
 */
export function occupied({ matrices, links, labels, lanes }, boxOf) {
  const cells = matrices.map(({ x, y, cell, height, rows, cols }) =>
    boxOf({ x, y, width: cell * cols, height: height * rows }),
  );
  const ends = [...lanes.values()].flatMap(({ left, right, top, count, isWritten }) => {
    const box = boxOf({ x: left, y: top, width: right - left, height: count * LANE });
    const { width: away } = boxOf({ x: 0, y: 0, width: LANE_ENDS, height: 0 });
    const read = { ...box, x: box.x - away - ENDS, width: away + ENDS, weight: WORSE };
    const written = { ...box, x: box.x + box.width, width: away + ENDS, weight: WORSE };
    return isWritten ? [read, written] : [read];
  });
  // Letters grow with the zoom, though less: see headings.js.
  const { width: unit } = boxOf({ x: 0, y: 0, width: 1, height: 0 });
  const grown = Math.max(1, Math.min(MOST_GROWN, unit ** 0.45));
  return [...cells, ...links.map(({ box }) => boxOf(box)), ...labels.map(labelBox), ...ends];

  /** @param {Label} label @returns {Occupied} */
  function labelBox({ kind, text, tex, x, y, room }) {
    const wanted = (tex ? SYMBOL : text.length) * LETTER * grown;
    const line = boxOf({ x: x - room / 2, y: y - HEAD.title, width: room, height: HEAD.title });
    const weight = WORSE;
    if (kind === "formula" || kind === "vector") return { ...line, width: 0, height: 0 };
    if (kind === "stack") return { ...line, x: ends[0].x, y: line.y - LINE, width: ENDS, weight };
    const width = Math.min(line.width, wanted);
    const middle = line.x + line.width / 2;
    const high = LINE * grown;
    const row = { y: line.y + line.height - high, height: high, weight };
    if (kind === "read") return { ...row, x: middle + BUTTONS.after, width: BUTTONS.wide };
    return { ...row, x: middle - width / 2, width };
  }
}

/**
 * How many px² of the boxes lie under one, as bad as it is to cover them.
 * @param {Box} over @param {readonly Occupied[]} boxes
 */
export function coveredBy(over, boxes) {
  let sum = 0;
  for (const { x, y, width, height, weight = 1 } of boxes) {
    const across = Math.min(over.x + over.width, x + width) - Math.max(over.x, x);
    const down = Math.min(over.y + over.height, y + height) - Math.max(over.y, y);
    if (across > 0 && down > 0) sum += weight * across * down;
  }
  return sum;
}

/**
 * The place of the one of some sizes that covers the least, near a point.
 * @param {readonly {width: number, height: number}[]} sizes
 * @param {{x: number, y: number}} point @param {{width: number, height: number}} view
 * @param {readonly Occupied[]} boxes
 * @returns {Box | null} null if none has room in the view
 */
export function freePlace(sizes, point, view, boxes) {
  let best = /** @type {Box | null} */ (null);
  let least = Infinity;
  // Those that are near come first: what is farther than the best one is bad is not looked at.
  const places = sizes.flatMap((size) => placesIn(view, size, point));
  for (const { box, near, cost } of places.sort((a, b) => a.cost - b.cost)) {
    if (cost >= least) break;
    const round = {
      ...{ x: box.x - AROUND, y: box.y - AROUND },
      ...{ width: box.width + 2 * AROUND, height: box.height + 2 * AROUND },
    };
    let all = cost + coveredBy(round, boxes);
    if (all < least) all += STEM * covers(point, near, boxes);
    if (all >= least) continue;
    least = all;
    best = box;
  }
  return best;
}

/**
 * The places of a size in a view, and what it costs that they are away from a point.
 * @param {{width: number, height: number}} view @param {{width: number, height: number}} size
 * @param {{x: number, y: number}} point
 */
function placesIn(view, { width, height }, point) {
  const found = [];
  for (let y = EDGE; y + height + EDGE <= view.height; y += STEP)
    for (let x = EDGE; x + width + EDGE <= view.width; x += STEP) {
      const box = { x, y, width, height };
      const near = nearestIn(box, point);
      found.push({ box, near, cost: DETOUR * Math.hypot(near.x - point.x, near.y - point.y) });
    }
  return found;
}

/**
 * How many px of a straight line lie over boxes.
 * @param {{x: number, y: number}} from @param {{x: number, y: number}} to
 * @param {readonly Box[]} boxes
 */
export function covers(from, to, boxes) {
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

/** @param {Box} box @param {{x: number, y: number}} point */
export const nearestIn = ({ x, y, width, height }, point) => ({
  x: Math.max(x, Math.min(x + width, point.x)),
  y: Math.max(y, Math.min(y + height, point.y)),
});
