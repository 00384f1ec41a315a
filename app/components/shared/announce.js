/** Telling the rest of the page, and whoever else listens on the document. */

/** @param {string} name without `tinkerformer:` @param {object | null} [detail] */
export function announce(name, detail = null) {
  document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
}
