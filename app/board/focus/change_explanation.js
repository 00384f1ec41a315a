/** Explains the last change, or the oscillation, by its path to the row that the page shows. */

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
    this.isTold = false; // whether a sentence states the effect of the last change on a word
    /** The focus at the last change, and the number of changes then. */
    this.changed = { focus: "", at: -1 };
    /** The cached result of `now`, and its key. */
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
    const { trail, orbit, store } = this.services;
    const { columns } = this.flow;
    const [swing, row] = [orbit(), this.services.row()];
    const at = `${swing?.spreads.size ?? trail.changes} ${row}`;
    if (this.known.by && this.known.at === at) return this.known.by;
    const by = carried(columns, this.flow.rowCounts, store.byIndex, swing ?? trail, row);
    this.known = { at, by };
    return by;
  }
}
