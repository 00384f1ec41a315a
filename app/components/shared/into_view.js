/**
 * Scrolls to an element. In a frame of the same origin, as in a notebook, browsers also scroll the
 * surrounding page. This module undoes that scrolling, unless the user has just acted in the frame.
 * Without such an action, the page was just opened, or a program has changed it.
 */

/** @param {Element} el @param {ScrollIntoViewOptions} options */
export function intoView(el, options) {
  const around = navigator.userActivation?.isActive ? [] : positionsAround();
  el.scrollIntoView(around.length ? { ...options, behavior: "instant" } : options);
  for (const [each, left, top] of around) each.scrollTo({ left, top, behavior: "instant" });
}

/** @returns {[Element, number, number][]} the scroll positions of all ancestors of the frame */
function positionsAround() {
  /** @type {[Element, number, number][]} */
  const found = [];
  for (let at = frameElement; at; at = outsideOf(at)) found.push([at, at.scrollLeft, at.scrollTop]);
  return found;
}

/** @param {Element} el @returns {Element | null} the parent, also across shadow roots and frames */
function outsideOf(el) {
  const outside = el.assignedSlot ?? el.parentElement;
  if (outside) return outside;
  /** @typedef {{host?: Element, defaultView?: Window | null}} Root of a shadow, or a document */
  const { host, defaultView } = /** @type {Root} */ (/** @type {unknown} */ (el.getRootNode()));
  return host ?? defaultView?.frameElement ?? null;
}
