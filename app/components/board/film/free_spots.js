/**
 * Finds the places where a film's labels cover the least of the picture: once for a scene, for the
 * camera at its end, so that they stand still.
 */

import { boxIn } from "../whole/camera.js";
import { freePlace, occupied } from "../whole/free_place.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Camera} from "../whole/camera.js"
 * @import {Viewpoint} from "../whole/viewpoint.js"
 * @import {Point} from "./ink.js"
 */

const APART = 4; // CSS px between it and what it keeps off
const WORSE = 4; // times as bad it is to cover headings and words that stay, as cells

export class FreeSpots {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.found = /** @type {Map<string, {key: string, box: Box | null}>} */ (new Map());
  }

  /**
   * @param {HTMLElement} el what is shown @param {Point} point near which
   * @param {number} scene @param {Camera} camera at its end
   * @param {number} [around] CSS px round the point that stay free
   * @returns {Box | null} null if it has no room
   */
  of(el, point, scene, camera, around = 0) {
    const { plan, view, covered } = this.viewpoint;
    const key = `${scene} ${view.width} ${view.height} ${covered.top} ${covered.left}`;
    const known = this.found.get(el.className);
    if (!plan || known?.key === key) return known?.box ?? null;
    const size = { width: el.offsetWidth + 2 * APART, height: el.offsetHeight + 2 * APART };
    const boxes = [
      ...occupied(plan, (rect) => boxIn(rect, camera)),
      { x: 0, y: 0, width: view.width, height: covered.top, weight: WORSE },
      { x: 0, y: 0, width: covered.left, height: view.height, weight: WORSE },
      {
        ...{ x: point.x - around, y: point.y - around },
        ...{ width: 2 * around, height: 2 * around, weight: WORSE },
      },
    ];
    const place = freePlace([size], point, view, boxes);
    const box = place && {
      ...{ x: place.x + APART, y: place.y + APART },
      ...{ width: place.width - 2 * APART, height: place.height - 2 * APART },
    };
    this.found.set(el.className, { key, box });
    return box;
  }
}
