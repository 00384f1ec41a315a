/** Counts presses of the pointer: all moves of one press are one undo step. */

let presses = 0; // in this document, which is one page

/** Returns the number of a press that starts now, from 1; 0 is used for the keyboard. */
export function nextPress() {
  presses += 1;
  return presses;
}
