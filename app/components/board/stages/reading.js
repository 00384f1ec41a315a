/** Which stage is read, and that it stays under the reader's eye while others change. */

/** @import {StageList} from "./stage_list.js" */

/**
 * @typedef {{above: string[], top: number}} ReadingPlace where the stage that is read begins, in
 *   CSS px of the viewport; it is the last of those `above`
 */

export class Reading {
  /** @param {StageList} stages */
  constructor(stages) {
    this.stages = stages;
    this.stage = /** @type {string | undefined} */ (undefined);
  }

  /** @param {string} id of the stage under the reader's eye */
  reads(id) {
    this.stage = id;
  }

  /** Where the stage under the reader's eye is, and which ones stand above it. */
  place() {
    const read = this.stages.placed(this.stage ?? "");
    if (!read) return null;
    const ids = [...this.stages.byId.keys()];
    const above = ids.slice(0, ids.indexOf(read.spec.id) + 1);
    return { above, top: read.el.getBoundingClientRect().top };
  }

  /**
   * What the reader looks at stays where it is, though everything above it becomes taller or
   * shorter. Where it is gone, what stood above it takes its place.
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
