/**
 * What the page's address asks of the browser. In a notebook the page has no address of its own:
 * then the document says it.
 */

const root = document.documentElement;

/** @returns {URLSearchParams} */
export const addressQuery = () => new URLSearchParams(root.dataset.query ?? location.search);

/** Whether there is an address that could be given to others, or kept by a tab. */
export const hasAddress = () => location.protocol !== "about:";

/** Whether the page stands in another one, without its frame. */
export const isEmbedded = () => root.dataset.embed !== undefined;

/** Where a frame stands: which of its parent's, and so on outward; empty for no frame. */
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
