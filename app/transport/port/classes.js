/** Loads component classes: each is a module that exports `render` and `styles`. */

import { beforePaint, forget } from "../../components/shared/display_frame.js";
import { html, nothing, render, svg } from "../../components/shared/lit-html.js";

/** @import {ComponentClass} from "./page_element.js" */

// All components of a page share one copy of these two modules; see catalog.py.
globalThis.litHtml = { html, nothing, render, svg };
globalThis.displayFrame = { beforePaint, forget };

/**
 * Returns a function that loads each class from its own URL.
 * @param {(name: string) => string} address
 * @param {Promise<unknown>} before settles before any component is drawn
 */
export function fromAddresses(address, before) {
  return async (/** @type {string} */ name) => {
    const [found] = await Promise.all([load(address(name)), before]);
    return found;
  };
}

/** Returns a function that loads each class once, from source text embedded in the page. */
export function fromTexts() {
  /** @type {Record<string, string>} */
  const texts = JSON.parse(document.querySelector("#classes")?.textContent ?? "{}");
  /** @type {Map<string, Promise<ComponentClass>>} */
  const loaded = new Map();
  return (/** @type {string} */ name) => {
    const found = loaded.get(name) ?? loadText(texts[name]);
    loaded.set(name, found);
    return found;
  };
}

/** @param {string} url @returns {Promise<ComponentClass>} */
async function load(url) {
  const module = await import(url);
  return { module, styles: module.styles };
}

/** @param {string} text */
async function loadText(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await load(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
