/**
 * Reads the page's URL. A page in a notebook has no URL of its own, so its document carries one.
 */

const root = document.documentElement;

/** @returns {URLSearchParams} */
export const addressQuery = () => new URLSearchParams(root.dataset.query ?? location.search);

/** Whether the page has a URL that can be shared or kept by a tab. */
export const hasAddress = () => location.protocol !== "about:";

/** Whether the page is embedded in another one, without its header. */
export const isEmbedded = () => root.dataset.embed !== undefined;

/**
 * Identifies an iframe by its position among its parent's iframes, and so on outward; an empty
 * string for a page in no iframe.
 */
export function frameName() {
  const places = [];
  /** @type {Window} */
  let frame = window;
  while (frame !== frame.parent) {
    const { parent } = frame;
    let at = 0;
    while (at < parent.length && parent[at] !== frame) at += 1;
    places.push(at);
    frame = parent;
  }
  return places.join(".");
}
