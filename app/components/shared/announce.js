/** Dispatches a custom event on the document, for the rest of the page and for course pages. */

/** @param {string} name without the prefix `tinkerformer:` @param {object | null} [detail] */
export function announce(name, detail = null) {
  document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
}
