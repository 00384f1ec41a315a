/** The word that is followed through the model: its lane stands out, the others fade. */

/** @import {FollowedLane, Lane, LanesEntry} from "../data/types.js" */

export class Followed {
  /**
   * @param {(value: [string, number] | null) => void} keep what is followed
   * @param {() => void} onChange another word is followed, or none
   */
  constructor(keep, onChange) {
    this.keep = keep;
    this.onChange = onChange;
    this.lane = /** @type {Lane | null} */ (null);
    this.wanted = this.lane; // also while there is no such lane
    this.stacks = /** @type {LanesEntry[] | null} */ (null); // null: none are known yet
    this.left = /** @type {Lane | null} */ (null); // what was followed until a number was selected
    this.says = ""; // what its row would write now, if that is known
  }

  /**
   * A lane that is not there is not followed until it is, as in a run whose sentence is short
   * for a moment.
   * @param {LanesEntry[] | null} stacks
   */
  show(stacks) {
    this.stacks = stacks;
    this.lane = this.wanted;
    if (stacks && this.lane && !this.words) this.lane = null;
  }

  /** Where the reader was when this was kept. @param {[string, number] | null} kept */
  begin(kept) {
    this.left = null;
    this.wanted = kept && { stack: kept[0], index: kept[1] };
    this.show(this.stacks);
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
    if (this.stacks && !this.words) this.lane = null; // there is no such lane
    this.wanted = this.lane;
    this.keep(this.lane && [this.lane.stack, this.lane.index]);
    this.onChange();
  }

  /** What is read in the lane, and what is written there; null: there is no such lane. */
  get words() {
    const { stacks, lane } = this;
    const lanes = stacks?.find(({ stack }) => stack === lane?.stack);
    if (!lanes || !lane || lane.index >= lanes.words.length) return null;
    const right = lanes.right[lane.index];
    return { read: lanes.words[lane.index], written: right && (this.says || right) };
  }

  /** The lane, and what is known of its word. @returns {FollowedLane | null} */
  get shown() {
    const { words, lane } = this;
    if (!lane || !words) return lane && { ...lane, isWritten: lane.stack !== "encoder" };
    const { read, written } = words;
    const word = read + (written ? ` → ${written}` : "");
    return { ...lane, word, isWritten: Boolean(written) };
  }
}
