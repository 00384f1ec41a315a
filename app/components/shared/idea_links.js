/** Buttons that lead to the pictures which explain what they stand beside. */

import { announce } from "./announce.js";
import { make } from "./dom.js";

/**
 * @param {readonly [view: string, label: string][]} ideas @param {string} className of the buttons
 * @returns {HTMLButtonElement[]} none where the page offers no other view
 */
export function ideaLinks(ideas, className) {
  const { embed } = document.documentElement.dataset;
  if (embed !== undefined && !embed.split(" ").includes("views")) return [];
  return ideas.map(([view, label]) =>
    make(
      "button",
      {
        type: "button",
        class: className,
        title: "The idea behind it, as a picture",
        onclick: () => announce("idea", { view }),
      },
      `${label} →`,
    ),
  );
}
