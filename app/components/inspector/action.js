/** A button that stays in place when disabled, so that what is below it does not move. */

import { make, setAttribute } from "../shared/dom.js";

/** @param {string} label @param {string} title tooltip, a sentence @param {() => void} press */
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

/** @param {HTMLButtonElement} button @param {boolean | undefined} on whether it is enabled */
export const enable = (button, on) => setAttribute(button, "aria-disabled", String(!on));
