/**
 * How a control is displayed that stands in the page's first line where there is room, else in its
 * menu: the page says which, in properties that are inherited into both.
 * @param {"line" | "menu"} place @param {string} name
 */
export function shownIn(place, name) {
  return `var(--${place}-${name}, ${place === "line" ? "block" : "none"})`;
}
