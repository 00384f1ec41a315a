/** The word that is followed through the model: its lane stands out, the others fade. */

/** @import {Lane, WholeEntry} from "../data/types.js" */

export class Followed {
  /**
   * @param {(value: [string, number] | null) => void} keep what is followed
   * @param {() => void} onChange another word is followed, or none
   */
  constructor(keep, onChange) {
    this.keep = keep;
    this.onChange = onChange;
    this.lane = /** @type {Lane | null} */ (null);
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.known = /** @type {string | undefined} */ (undefined);
  }

  /** A lane that is no longer there is not followed. @param {WholeEntry | null} entry */
  show(entry) {
    this.entry = entry;
    if (entry && this.lane && !this.words) this.lane = null;
  }

  /** Where the reader was when this was kept. @param {[string, number] | null} kept */
  begin(kept) {
    this.lane = kept && { stack: kept[0], index: kept[1] };
    this.show(this.entry);
    this.onChange();
  }

  /** @param {Lane | null} lane the one that is to be followed, or no longer */
  follow(lane) {
    const isIt = this.lane?.stack === lane?.stack && this.lane?.index === lane?.index;
    this.lane = isIt ? null : lane;
    if (this.entry && !this.words) this.lane = null; // there is no such lane
    this.keep(this.lane && [this.lane.stack, this.lane.index]);
    this.onChange();
  }

  /** What is read in the lane, and what is written there; null: there is no such lane. */
  get words() {
    const { entry, lane } = this;
    const lanes = entry?.stacks.find(({ stack }) => stack === lane?.stack);
    if (!lanes || !lane || lane.index >= lanes.words.length) return null;
    return { read: lanes.words[lane.index], written: lanes.right[lane.index] };
  }

  /** Views other than the whole picture do not know their own. */
  get word() {
    const { words } = this;
    if (words) this.known = words.read + (words.written ? ` → ${words.written}` : "");
    return this.known;
  }
}
