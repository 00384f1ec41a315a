/** The line from a ring to what is said of it. */

import { nearestIn } from "./free_place.js";

/** @import {Box} from "../paint/view.js" */

/**
 * @param {HTMLElement} stem
 * @param {{x: number, y: number}} at the middle of the ring, CSS px of the view
 * @param {number} radius of the ring
 * @param {Box} box of what is said
 */
export function layStem(stem, at, radius, box) {
  const end = nearestIn(box, at);
  const [dx, dy] = [end.x - at.x, end.y - at.y];
  const turn = Math.atan2(dy, dx);
  const long = Math.max(0, Math.hypot(dx, dy) - radius);
  stem.style.width = `${long.toFixed(1)}px`;
  const outward = `rotate(${turn}rad) translate(${radius}px, -1px)`;
  stem.style.transform = `translate(${at.x}px, ${at.y}px) ${outward}`;
}
