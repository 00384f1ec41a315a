/** Tracks which stage is being read, and keeps its position on the screen after a change. */

/** @import {StageList} from "./stage_list.js" */

/**
 * @typedef {{above: string[], top: number}} ReadingPlace `top` is the top of the stage being read,
 *   in CSS px of the viewport; `above` are the ids of the stages up to and including that stage
 */

export class Reading {
  /** @param {StageList} stages */
  constructor(stages) {
    this.stages = stages;
    this.stage = /** @type {string | undefined} */ (undefined);
  }

  /** @param {string} id of the stage being read */
  reads(id) {
    this.stage = id;
  }

  /** Returns the position of the stage being read, and the stages above it. */
  place() {
    const read = this.stages.placed(this.stage ?? "");
    if (!read) return null;
    const ids = [...this.stages.byId.keys()];
    const above = ids.slice(0, ids.indexOf(read.spec.id) + 1);
    return { above, top: read.el.getBoundingClientRect().top };
  }

  /**
   * Scrolls so that the stage being read keeps its position after stages above it changed height.
   * If it was removed, scrolls to the nearest stage above.
   * @param {ReadingPlace | null} before
   */
  goOn(before) {
    const id = before?.above.findLast((known) => this.stages.get(known));
    const el = this.stages.get(id ?? "")?.el;
    if (!before || !el?.offsetParent) return;
    const isThere = id === before.above.at(-1);
    const goal = isThere ? before.top : innerHeight / 4;
    scrollBy({ top: el.getBoundingClientRect().top - goal, behavior: "instant" });
  }
}
