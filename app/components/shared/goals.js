/** What one can do after a lesson. */

import { make } from "./dom.js";

/**
 * @param {string[]} goals @param {string} [summary] what unfolds them
 * @returns {HTMLElement | null} null if none are named
 */
export function goalsOf(goals, summary = "What you will be able to do") {
  if (!goals.length) return null;
  const list = goals.map((goal) => make("li", {}, goal));
  return make("details", { class: "goals" }, make("summary", {}, summary), make("ul", {}, ...list));
}
