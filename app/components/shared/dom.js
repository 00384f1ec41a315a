/** Creates and updates DOM elements without HTML strings. */

import { beforePaint } from "./display_frame.js";

/**
 * @typedef {{[K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) =>
 *   void}} Listeners
 * @typedef {Listeners & Record<string, unknown>} Attributes names as in HTML (`class`, `for`,
 *   `aria-…`); `on…` functions are listeners; true sets an attribute without a value, false, null
 *   and undefined set no attribute
 */

/**
 * Creates an element. Strings become text nodes, so that no input is parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined)} children
 */
export function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  for (const child of children) if (child != null) node.append(child);
  return node;
}

/**
 * Sets an attribute, or removes it if the value is null. Does nothing if the value is the same.
 * @param {Element} node @param {string} name @param {string | number | null} value
 */
export function setAttribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Sets a node's text if it differs, because to write the same text would also cause a layout.
 * @param {Node} node @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Returns a function that schedules `run` before the next paint; several calls run it once.
 * @param {() => void} run @returns {() => void} schedules the run
 */
export function oncePerFrame(run) {
  const work = () => run();
  return () => beforePaint("write", work);
}
