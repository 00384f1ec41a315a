/** The word that is followed through the model: its lane stands out, the others fade. */

/** @import {FollowedLane, Lane, WholeEntry} from "../data/types.js" */

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
    this.left = /** @type {Lane | null} */ (null); // what was followed until a number was selected
    this.says = ""; // what its row would write now, if that is known
    this.known = /** @type {{word: string, isWritten: boolean} | null} */ (null);
  }

  /** A lane that is no longer there is not followed. @param {WholeEntry | null} entry */
  show(entry) {
    this.entry = entry;
    if (entry && this.lane && !this.words) this.lane = null;
  }

  /** Where the reader was when this was kept. @param {[string, number] | null} kept */
  begin(kept) {
    this.left = null;
    this.lane = kept && { stack: kept[0], index: kept[1] };
    this.show(this.entry);
    this.onChange();
  }

  /** A number is in focus now, and not the word. */
  leave() {
    const { lane } = this;
    if (!lane) return;
    this.follow(null);
    this.left = lane;
  }

  /** The number is let go of: the word is in focus again. */
  comeBack() {
    const { left } = this;
    if (left) this.follow(left);
    this.left = null;
  }

  /** @param {Lane | null} lane the one that is to be followed, or no longer */
  follow(lane) {
    this.left = null;
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
    const right = lanes.right[lane.index];
    return { read: lanes.words[lane.index], written: right && (this.says || right) };
  }

  /**
   * The lane, and what is known of its word. Views other than the whole picture do not know their
   * own.
   * @returns {FollowedLane | null}
   */
  get shown() {
    const { words, lane } = this;
    if (words) {
      const { read, written } = words;
      this.known = { word: read + (written ? ` → ${written}` : ""), isWritten: Boolean(written) };
    }
    return lane && { ...lane, ...(this.known ?? { isWritten: lane.stack !== "encoder" }) };
  }
}
