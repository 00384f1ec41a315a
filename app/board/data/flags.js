/** The bits of a cell's flag byte, as written by `wire.py`. */

export const DROPPED = 1;
const EDITED = 2;
const OVERRIDDEN = 4;
/** The selected cell affects this cell, or a search has found this cell. */
export const REACHED = 8;
/**
 * Returns how strongly the selected cell affects this cell, from 1 to 7 (the upper three bits); 0
 * without `REACHED`, when these bits have another meaning.
 * @param {number} flag
 */
export const reachOf = (flag) => (flag & REACHED ? flag >> 5 : 0);
export const REACH_LEVELS = 7;
/** Masked: a score of −∞, or the weight of exactly 0 that results from it. */
export const MASKED = 16;
/** Covered: a lesson asks for the number, so it was not sent. The cell has no other mark. */
export const COVERED = 32;
/** Whether a lesson asks for the number, so that no sentence may state it. @param {number} flag */
export const isToRead = (flag) => !(flag & REACHED) && (flag & TO_READ) > 0;
const TO_READ = 64;
export const COVERED_SIGN = "?";
export const COVERED_WORDS = "covered until the question is answered";

/** Describes the marks for screen readers: "masked, overridden". @param {number} flag */
export function flagWords(flag) {
  if (flag === COVERED) return COVERED_WORDS;
  const words = [];
  if (flag & MASKED) words.push("masked");
  if (flag & DROPPED) words.push("dropped");
  if (flag & OVERRIDDEN) words.push("overridden");
  else if (flag & EDITED) words.push("edited");
  return words.join(", ");
}

/** The bits of numbers changed by the user: edited parameters and overridden values. */
export const CHANGED = EDITED | OVERRIDDEN;
