/** Presses of the pointer: the moves of one are one step to undo. */

let presses = 0; // of this document, which is one page

/** The number of a press that begins now, from 1; 0 stands for the keyboard. */
export function nextPress() {
  presses += 1;
  return presses;
}
