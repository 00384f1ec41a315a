/**
 * Scrolls to an element. A page in a frame of one's own app or notebook (of the same origin) would
 * scroll what is around it, too, as it opens or as a program changes it; it does so only while the
 * reader is at work in it.
 */

/** @param {Element} el @param {ScrollIntoViewOptions} options */
export function intoView(el, options) {
  const around = navigator.userActivation?.isActive ? [] : positionsAround();
  el.scrollIntoView(around.length ? { ...options, behavior: "instant" } : options);
  for (const [each, left, top] of around) each.scrollTo({ left, top, behavior: "instant" });
}

/** @returns {[Element, number, number][]} where all that is around the frame is scrolled to */
function positionsAround() {
  /** @type {[Element, number, number][]} */
  const found = [];
  for (let at = frameElement; at; at = outsideOf(at)) found.push([at, at.scrollLeft, at.scrollTop]);
  return found;
}

/** @param {Element} el @returns {Element | null} what it stands in, also out of a frame */
function outsideOf(el) {
  const outside = el.assignedSlot ?? el.parentElement;
  if (outside) return outside;
  /** @typedef {{host?: Element, defaultView?: Window | null}} Root of a shadow, or a document */
  const { host, defaultView } = /** @type {Root} */ (/** @type {unknown} */ (el.getRootNode()));
  return host ?? defaultView?.frameElement ?? null;
}
