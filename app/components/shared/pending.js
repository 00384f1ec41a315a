/** Marks results that are outdated while new ones are computed. */

import { setAttribute } from "./dom.js";

/**
 * Dims an element whose result is outdated, and has it say what is pending.
 * @param {HTMLElement} node @param {string} pending a sentence; empty if the result is up to date
 */
export function markPending(node, pending) {
  setAttribute(node, "data-pending", pending || null);
  setAttribute(node, "aria-busy", pending ? "true" : null);
}
