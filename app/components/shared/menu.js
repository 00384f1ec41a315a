/** Menus that are popovers. */

import { bindKeys } from "./keys.js";

/**
 * Closes a menu. A focus inside returns to the button, which browsers do not do in a shadow root.
 * @param {HTMLElement} menu @param {HTMLElement} button opens the menu
 */
export function closeMenu(menu, button) {
  const isInside = menu.matches(":focus-within");
  menu.hidePopover();
  if (isInside) button.focus({ preventScroll: true });
}

/**
 * Lets Escape close a menu.
 * @param {HTMLElement} el contains the menu and its button
 * @param {HTMLElement} menu @param {HTMLElement} button opens the menu
 */
export function closeOnEscape(el, menu, button) {
  const when = () => menu.matches(":popover-open");
  const run = () => closeMenu(menu, button);
  bindKeys(el, "In a menu", [{ keys: ["Escape"], does: "closes it", when, run }]);
}
