/** The word that is followed through the model: its lane stands out, the others fade. */

/** @import {FollowMessage} from "../data/messages.js" */
/** @import {FollowedLane, Lane, LanesEntry} from "../data/types.js" */

export class Followed {
  /**
   * @param {(value: [string, number] | null) => void} ask asks Python to follow a word, or none
   * @param {() => void} onChange another word is followed, or none
   */
  constructor(ask, onChange) {
    this.ask = ask;
    this.onChange = onChange;
    this.lane = /** @type {Lane | null} */ (null);
    this.wanted = this.lane; // also while there is no such lane
    this.back = this.lane; // the word behind a selected number
    this.stacks = /** @type {LanesEntry[] | null} */ (null); // null: none are known yet
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

  /** What Python has in focus. @param {Omit<FollowMessage, "type">} message */
  set({ word, back }) {
    this.wanted = laneOf(word);
    this.back = laneOf(back);
    this.show(this.stacks);
    this.onChange();
  }

  /** Asks for a lane to be followed, or no longer. @param {Lane | null} lane */
  follow(lane) {
    const isIt = this.lane?.stack === lane?.stack && this.lane?.index === lane?.index;
    this.ask(lane && !isIt ? [lane.stack, lane.index] : null);
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

/** @param {[string, number] | null} word @returns {Lane | null} */
const laneOf = (word) => word && { stack: word[0], index: word[1] };
