/** Places an overlay below an element of the page. */

const APART = 6; // px from the element, and from the edges of the window

/**
 * @param {HTMLElement} over the overlay, with `position: fixed`
 * @param {Element} part @param {number} [gap] px that stay free under the part
 */
export function placeUnder(over, part, gap = 0) {
  const { left, bottom } = part.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const height = window.visualViewport?.height ?? innerHeight;
  const top = bottom + APART + gap;
  over.style.left = `${Math.max(APART, Math.min(left, width - over.offsetWidth - APART))}px`;
  over.style.top = `${top}px`;
  over.style.maxHeight = `${Math.max(120, height - top - APART)}px`;
}
