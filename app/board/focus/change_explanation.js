/**
 * Explains the last change, or the oscillation: traces it to the followed word, or else to the word
 * that changes most.
 */

import { carried } from "./change_path.js";

/**
 * @import {EmphasisServices} from "./emphasis.js"
 * @import {Carried} from "./change_path.js"
 * @import {FocusFlow} from "./focus_flow.js"
 */

export class ChangeExplanation {
  /** @param {EmphasisServices} services @param {FocusFlow} flow */
  constructor(services, flow) {
    this.services = services;
    this.flow = flow;
    /** The row whose word changed, by the sentence on the last change; null: there is none. */
    this.row = /** @type {number | null} */ (null);
    /** The focus at the last change, and the number of changes by then. */
    this.changed = { focus: "", at: -1 };
    /** The last result, and its key. */
    this.known = { at: "", by: /** @type {Carried | null} */ (null) };
  }

  /** Remembers the focus at a change; called in every display frame. */
  tick() {
    const { changes } = this.services.trail;
    if (this.changed.at !== changes) this.changed = { focus: this.focusKey, at: changes };
  }

  forget() {
    this.known.by = null;
  }

  get focusKey() {
    return JSON.stringify(this.services.focus()?.of ?? null);
  }

  /** Whether the focus is the same as at the last change. */
  get isOfFocus() {
    return this.changed.focus === this.focusKey;
  }

  /** @returns {Carried} */
  get now() {
    const { trail, orbit, store, isEditing, followed } = this.services;
    const { columns } = this.flow;
    const swing = orbit();
    const isMoving = swing !== null || isEditing();
    // The row of the followed word, if the model writes a word there.
    const lane = followed();
    const last = columns.at(-1);
    const own = lane && last?.keys === null && lane.stack === last.stack ? lane.index : null;
    const row = isMoving ? own : this.row;
    const at = `${swing?.spreads.size ?? trail.changes} ${row}`;
    if (this.known.by && this.known.at === at) return this.known.by;
    const to = (/** @type {number | null} */ said) =>
      carried(columns, this.flow.rowCounts, store.byIndex, swing ?? trail, said);
    let by = to(row);
    // A change that does not reach the followed word is traced to the word that changes most.
    if (isMoving && row !== null && !by.links.size) by = to(null);
    this.known = { at, by };
    return by;
  }
}
