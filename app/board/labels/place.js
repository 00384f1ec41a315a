/**
 * Places labels: each label gets the first of its places that covers no obstacle and no label of a
 * higher priority. A label keeps its previous place while that place is free, so that labels do not
 * jump while the camera moves. A label takes a better form as soon as this form has a free place,
 * so that labels do not depend on earlier views.
 */

import { coveredBy, isOver } from "./boxes.js";

/**
 * @import {Box} from "../paint/view.js"
 *
 * @typedef {object} Label
 * @property {string} key identifies the label in later placements
 * @property {readonly (Box | null)[]} places possible boxes of its text, in CSS px of the view, the
 *   best first; empty without any. Null marks a place out of sight, so that indices stay the same
 * @property {number} [perForm] number of places per form, such as a wording; by default all places
 *   are of one form
 * @property {number} priority labels of larger priority are placed first
 * @property {string} [group] labels of a group are shown together or not at all
 * @property {"all" | "labels" | "nothing"} [avoids] boxes that it may not cover; by default all
 * @property {boolean} [mayCover] whether it takes, if none is free, the place that covers least
 *
 * @typedef {Map<string, number>} Placement the index of the place of each label, by key
 */

const LABEL = 100; // cost of covering a label, relative to covering a number
const BETTER = 0.6; // a label moves only if its new cost is below this share of the present cost

/**
 * @param {readonly Label[]} labels @param {readonly Box[]} obstacles
 * @param {Placement} [before] the last placement
 * @param {readonly Box[]} [others] boxes of labels that are already placed
 * @returns {Placement} contains only labels that have a place
 */
export function place(labels, obstacles, before = new Map(), others = []) {
  const placed = /** @type {Placement} */ (new Map());
  const taken = [...others];
  for (const label of labels.toSorted((a, b) => b.priority - a.priority)) {
    const { key, places, perForm = places.length, avoids = "all", mayCover } = label;
    const isFree = (/** @type {Box | null} */ box) => {
      const isOn = (/** @type {Box} */ other) => box !== null && isOver(box, other);
      if (!box || avoids === "nothing") return box !== null;
      return !taken.some(isOn) && !(avoids === "all" && obstacles.some(isOn));
    };
    const had = before.get(key) ?? -1;
    const form = (/** @type {number} */ k) => Math.floor(k / perForm);
    const free = places.findIndex(isFree);
    const isKept = had >= 0 && had < places.length && form(had) <= form(free);
    const covers = () =>
      places.map((box) =>
        box ? coveredBy(box, obstacles) + LABEL * coveredBy(box, taken) : Number.POSITIVE_INFINITY,
      );
    let found = free;
    if (isKept && isFree(places[had])) found = had;
    else if (free < 0 && mayCover) found = least(covers(), had);
    const box = places[found];
    if (!box) continue;
    placed.set(key, found);
    taken.push(box);
  }
  const missing = new Set(labels.filter(({ key }) => !placed.has(key)).map(({ group }) => group));
  for (const { key, group } of labels)
    if (group !== undefined && missing.has(group)) placed.delete(key);
  return placed;
}

/**
 * The index of the place that covers the least, or the previous one unless another is much better.
 * @param {readonly number[]} covers the cost of what each place covers, in px²
 * @param {number} had the index of the previous place; −1: none
 */
function least(covers, had) {
  const best = covers.indexOf(Math.min(...covers));
  return covers[best] >= covers[had] * BETTER ? had : best;
}
