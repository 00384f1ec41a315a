/** A button that can be there without anything to do: what stands below it keeps its place. */

import { make, setAttribute } from "../shared/dom.js";

/**
 * @param {string} label @param {string} title what it does, in a sentence @param {() => void} press
 */
export const action = (label, title, press) => {
  /** @type {HTMLButtonElement} */
  const button = make(
    "button",
    {
      type: "button",
      class: "button",
      title,
      onclick: () => {
        if (button.getAttribute("aria-disabled") !== "true") press();
      },
    },
    label,
  );
  return button;
};

/** @param {HTMLButtonElement} button @param {boolean | undefined} on whether it has to do */
export const enable = (button, on) => setAttribute(button, "aria-disabled", String(!on));
