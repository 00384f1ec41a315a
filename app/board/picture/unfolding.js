/**
 * Unfolds parts of the picture to show every step, and folds them again. The server sends a new
 * structure; the part keeps its place in the view.
 */

import { placeDown, withAt } from "./camera.js";

/**
 * @import {PartEntry, WholeEntry} from "../data/types.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

export class Unfolding {
  /**
   * @param {Viewpoint} viewpoint
   * @param {(parts: string[]) => void} ask asks Python to unfold exactly these parts
   */
  constructor(viewpoint, ask) {
    this.viewpoint = viewpoint;
    this.ask = ask;
    this.parts = /** @type {PartEntry[]} */ ([]);
    this.plan = /** @type {Plan | null} */ (null);
    /** The part that is being unfolded or folded; `near`: whether the camera goes near to it. */
    this.goal = /** @type {{id: string, near: boolean} | undefined} */ (undefined);
  }

  /** The ids of the unfolded parts. */
  get ids() {
    return this.parts.filter(({ unfolded }) => unfolded).map(({ id }) => id);
  }

  /**
   * Unfolds or folds a part, or moves the camera to a part that cannot unfold.
   * @param {PartEntry} part
   * @param {boolean} isKey whether a key was pressed; a key never folds a part
   */
  open(part, isKey) {
    const { ids } = this;
    const isOpen = ids.includes(part.id);
    if (part.unfolds && !(isKey && isOpen)) {
      const others = ids.filter((id) => id !== part.id);
      this.goal = { id: part.id, near: !isOpen };
      this.ask(isOpen ? others : [...others, part.id]);
    } else this.viewpoint.goToPart(part.id);
  }

  /** Unfolds the part with a matrix that is not drawn. @param {string} path of the matrix */
  openFor(path) {
    const part = this.parts.find(({ id }) => path.startsWith(`${id}.`));
    if (part?.unfolds && !part.unfolded) this.open(part, false);
  }

  /**
   * Moves the camera to the unfolded part, or shows the whole picture after a part was folded.
   * @param {WholeEntry | null} entry @param {Plan | null} plan
   */
  show(entry, plan) {
    const { goal, viewpoint } = this;
    const old = placeIn(this.plan, goal?.id);
    const now = placeIn(plan, goal?.id);
    const isFirst = !this.plan;
    this.parts = entry?.parts ?? [];
    this.plan = plan;
    if (!plan) return;
    this.goal = undefined;
    if (!goal || !old || !now) {
      if (viewpoint.isFitted || isFirst) viewpoint.camera = viewpoint.fitted();
      viewpoint.changed();
      return;
    }
    // The part keeps its place in the view while its surroundings move.
    const { camera } = viewpoint;
    const moved = { ...camera, ...viewpoint.limits, x: camera.x + now.x - old.x };
    viewpoint.put(withAt(moved, now.y, placeDown(camera, old.y)));
    if (goal.near) viewpoint.goToPart(goal.id);
    else viewpoint.showAll();
  }
}

/** @param {Plan | null} plan @param {string | undefined} id of a part */
const placeIn = (plan, id) => plan?.parts.find(({ entry }) => entry.id === id);
