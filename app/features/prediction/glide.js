/**
 * Animates a word to a new place in the list: its bar glides there, and its text fades in there, so
 * that texts never overlap.
 */

import { moveOnce } from "../../components/shared/motion.js";

const GLIDE = 250; // ms
const TIMING = { duration: GLIDE, easing: "ease-in-out" };
const APPEARS = [{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }];

/**
 * @param {HTMLElement} node of the word
 * @param {number[] | null} by x and y offset of the previous place in CSS px; null if there is none
 */
export function glide(node, by) {
  const move = (/** @type {HTMLElement} */ el, /** @type {Keyframe[]} */ frames) =>
    moveOnce(el, frames, TIMING, GLIDE);
  if (!by) {
    move(node, APPEARS);
    return;
  }
  const find = (/** @type {string} */ all) =>
    /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(all));
  for (const track of find(".track"))
    move(track, [{ transform: `translate(${by[0]}px, ${by[1]}px)` }, {}]);
  for (const text of find(".word, .number")) move(text, APPEARS);
}
