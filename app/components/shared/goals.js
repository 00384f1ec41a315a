/** What one can do after a lesson. */

import { make } from "./dom.js";

/** @param {string[]} goals @returns {HTMLElement | null} null if none are named */
export function goalsOf(goals) {
  if (!goals.length) return null;
  const list = goals.map((goal) => make("li", {}, goal));
  return make(
    "details",
    { class: "goals" },
    make("summary", {}, "What you will be able to do"),
    make("ul", {}, ...list),
  );
}
