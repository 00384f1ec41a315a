/**
 * Returns the CSS `display` of a control that is shown in the header if there is room, and
 * otherwise in the menu. The page decides by custom properties that both places inherit.
 * @param {"line" | "menu"} place @param {string} name
 */
export function shownIn(place, name) {
  return `var(--${place}-${name}, ${place === "line" ? "block" : "none"})`;
}
