/** What a cell's flag byte says of it, as `wire.py` writes it: bits add up. */

export const DROPPED = 1;
const EDITED = 2;
export const OVERRIDDEN = 4;
/** The selected cell reaches it. */
export const REACHED = 8;
/** How strongly it does, from 1 to 7, stands in the upper bits. @param {number} flag */
export const reachOf = (flag) => flag >> 5;
/** A mask closes it: a score of −∞, or the weight of exactly 0 that comes of one. */
export const MASKED = 16;
/** A question of a lesson asks for it: its number is not here. No other mark is beside this one. */
export const COVERED = 32;
export const COVERED_SIGN = "?";
export const COVERED_WORDS = "covered until the question is answered";

/**
 * What a reader hears of the marks: "masked, overridden".
 * @param {number} flag
 */
export function flagWords(flag) {
  if (flag === COVERED) return COVERED_WORDS;
  const words = [];
  if (flag & MASKED) words.push("masked");
  if (flag & DROPPED) words.push("dropped");
  if (flag & OVERRIDDEN) words.push("overridden");
  else if (flag & EDITED) words.push("edited");
  return words.join(", ");
}

/** A number that is not what the model computed or began with. */
export const CHANGED = EDITED | OVERRIDDEN;
