/** Animates words to their new places when a change of other words moves them. */

import { moveOnce, prefersStillness } from "../../components/shared/motion.js";

const TIMING = { duration: 200, easing: "ease-out" }; // ms

/**
 * @param {HTMLElement} list of the words @param {() => void} change updates the words
 */
export function slideWords(list, change) {
  const items = /** @type {HTMLElement[]} */ ([...list.children]);
  const places = items.map((item) => item.getBoundingClientRect().x);
  change();
  if (prefersStillness()) return;
  items.forEach((item, at) => {
    const by = item.isConnected ? places[at] - item.getBoundingClientRect().x : 0;
    if (Math.abs(by) >= 1)
      moveOnce(item, [{ transform: `translateX(${by}px)` }, { transform: "none" }], TIMING);
  });
}
