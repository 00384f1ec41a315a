/** Moves items that do not fit in the header into the menu, one after another. */

import { find } from "./find.js";

/**
 * The steps, in order: `words` hides the captions of buttons with icons, `name` hides the page's
 * name beside its logo, every other step moves the control with this field name into the menu.
 */
const NAME = "name";
const WORDS = "words";
const STEPS = [WORDS, "share", NAME, "redo"];

export function fitHeader() {
  const line = find(".top");
  const rooms = find(".slot-rooms");

  /** @param {number} count number of steps to take */
  function take(count) {
    STEPS.forEach((name, at) => {
      const isAway = at < count;
      if (name === NAME) line.classList.toggle("no-name", isAway);
      const there = name === WORDS ? "inline" : "block";
      line.style.setProperty(`--line-${name}`, isAway ? "none" : there);
      line.style.setProperty(`--menu-${name}`, isAway ? "block" : "none");
    });
  }

  const root = document.documentElement;

  /** Returns whether all items and tabs fit; on a narrow page the tabs are in a separate row. */
  function fits() {
    if (line.scrollWidth > line.clientWidth) return false;
    const isBelow = getComputedStyle(rooms).position === "fixed";
    return isBelow || Number(root.dataset.roomsWidth ?? 0) <= rooms.clientWidth;
  }

  function fit() {
    let count = 0;
    take(count);
    while (!fits() && count < STEPS.length) {
      count += 1;
      take(count);
    }
  }

  // Widths change when texts arrive or fonts load.
  const sizes = new ResizeObserver(fit);
  sizes.observe(line);
  new MutationObserver(fit).observe(root, { attributeFilter: ["data-rooms-width"] });
  for (const slot of line.querySelectorAll("h1, .slot")) if (slot !== rooms) sizes.observe(slot);
  document.fonts?.addEventListener("loadingdone", fit);
}
