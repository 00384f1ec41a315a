/**
 * Parts of the picture that show every step, or are folded again: the server makes another
 * structure, and in that the part stays under the reader's eye.
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
   * @param {(parts: string[]) => void} ask to have these unfolded, and no others
   */
  constructor(viewpoint, ask) {
    this.viewpoint = viewpoint;
    this.ask = ask;
    this.parts = /** @type {PartEntry[]} */ ([]);
    this.plan = /** @type {Plan | null} */ (null);
    /** The part that is being unfolded, or folded. */
    this.goal = /** @type {{id: string, near: boolean} | undefined} */ (undefined);
  }

  /** Those that are unfolded. */
  get ids() {
    return this.parts.filter(({ unfolded }) => unfolded).map(({ id }) => id);
  }

  /**
   * @param {PartEntry} part
   * @param {boolean} isKey pressed by the keyboard, which goes near, too
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

  /** Draw what is folded away. @param {string} path of a matrix that is not drawn */
  openFor(path) {
    const part = this.parts.find(({ id }) => path.startsWith(`${id}.`));
    if (part?.unfolds && !part.unfolded) this.open(part, false);
  }

  /**
   * After a new structure: to the part that was unfolded, or back to where all is in sight.
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
    // The part stays under the reader's eye while what is round it moves.
    const { camera } = viewpoint;
    const moved = { ...camera, ...viewpoint.limits, x: camera.x + now.x - old.x };
    viewpoint.put(withAt(moved, now.y, placeDown(camera, old.y)));
    if (goal.near) viewpoint.goToPart(goal.id);
    else viewpoint.showAll();
  }
}

/** @param {Plan | null} plan @param {string | undefined} id of a part */
const placeIn = (plan, id) => plan?.parts.find(({ entry }) => entry.id === id);
