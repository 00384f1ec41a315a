/** The word followed through the model: its lane is emphasized, the others fade. */

import { isSameLane } from "../data/cursors.js";

/** @import {FollowMessage} from "../data/messages.js" */
/** @import {FollowedLane, Lane, LanesEntry} from "../data/types.js" */

export class Followed {
  /**
   * @param {(value: [string, number] | null) => void} ask asks Python to follow a word, or none
   * @param {() => void} onChange called when the followed word may have changed
   * @param {() => boolean} trains whether training changes the numbers now
   */
  constructor(ask, onChange, trains) {
    this.ask = ask;
    this.onChange = onChange;
    this.trains = trains;
    this.lane = /** @type {Lane | null} */ (null);
    this.wanted = this.lane; // kept even while the lane does not exist
    this.back = this.lane; // the lane to follow again when the selected number is deselected
    this.stacks = /** @type {LanesEntry[] | null} */ (null); // null: not known yet
    this.says = ""; // the word that the lane's row would write now, if known
  }

  /**
   * Updates the stacks. While the wanted lane does not exist, no lane is followed: during training,
   * the sentence may be too short for a moment.
   * @param {LanesEntry[] | null} stacks
   */
  show(stacks) {
    this.stacks = stacks;
    this.lane = this.wanted;
    if (stacks && this.lane && !this.words) this.lane = null;
  }

  /** Sets the words that Python has sent. @param {Omit<FollowMessage, "type">} message */
  set({ word, back }) {
    this.wanted = laneOf(word);
    this.back = laneOf(back);
    this.show(this.stacks);
    this.onChange();
  }

  /** Asks to follow a lane, or none if this lane is followed already. @param {Lane | null} lane */
  follow(lane) {
    this.ask(lane && !isSameLane(lane, this.lane) ? [lane.stack, lane.index] : null);
  }

  /** The words read and written in the lane; null if the lane does not exist. */
  get words() {
    const { stacks, lane } = this;
    const lanes = stacks?.find(({ stack }) => stack === lane?.stack);
    if (!lanes || !lane || lane.index >= lanes.words.length) return null;
    const right = lanes.right[lane.index];
    return { read: lanes.words[lane.index], written: right && (this.says || right) };
  }

  /**
   * The followed lane, with its words if known; without the written word during training.
   * @returns {FollowedLane | null}
   */
  get shown() {
    const { words, lane } = this;
    if (!lane || !words) return lane && { ...lane, isWritten: lane.stack !== "encoder" };
    const { read, written } = words;
    const word = read + (written && !this.trains() ? ` → ${written}` : "");
    return { ...lane, word, isWritten: Boolean(written) };
  }
}

/** @param {[string, number] | null} word */
const laneOf = (word) => word && { stack: word[0], index: word[1] };
