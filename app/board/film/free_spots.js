/**
 * Finds places for a film's labels: once for each scene, for the camera at its end, so that labels
 * do not move during a scene.
 */

import { placeNear } from "../labels/near.js";
import { obstaclesIn } from "../picture/obstacles.js";

/**
 * @import {Point} from "../labels/boxes.js"
 * @import {NearPlace} from "../labels/near.js"
 * @import {Camera} from "../picture/camera.js"
 * @import {Viewpoint} from "../picture/viewpoint.js"
 */

export class FreeSpots {
  /** @param {Viewpoint} viewpoint */
  constructor(viewpoint) {
    this.viewpoint = viewpoint;
    this.found = /** @type {Map<string, {key: string, place: NearPlace | null}>} */ (new Map());
  }

  /**
   * @param {HTMLElement} el the label's element @param {Point} at the point to place it near
   * @param {number} scene @param {Camera} camera at the end of the scene
   * @param {number} [radius] CSS px around the point that stay free
   * @returns {NearPlace | null} null if the label has no room
   */
  of(el, at, scene, camera, radius = 0) {
    const { plan, view, covered, claims } = this.viewpoint;
    const key = `${scene} ${view.width} ${view.height} ${covered.top} ${covered.left}`;
    const known = this.found.get(el.className);
    if (!plan || known?.key === key) return known?.place ?? null;
    const ring = { x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius };
    const boxes = [...obstaclesIn(plan, camera), ...claims.of("labels"), ring];
    const sizes = [{ width: el.offsetWidth, height: el.offsetHeight }];
    const far = view.width + view.height;
    const place = placeNear(sizes, { ringed: { at, radius }, far }, view, boxes);
    this.found.set(el.className, { key, place });
    return place;
  }
}
