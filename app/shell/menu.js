/** The menu of the page. It closes together with a dialog that was opened from it. */

import { find } from "./find.js";

export function listenToMenu() {
  const menu = find("#menu");
  const button = find("#menu-button");
  menu.addEventListener("toggle", () => {
    button.setAttribute("aria-expanded", String(menu.matches(":popover-open")));
  });
  find("#go-to-button").addEventListener("click", () => {
    menu.hidePopover();
    document.dispatchEvent(new CustomEvent("tinkerformer:ask-matrix", { detail: null }));
  });
  // Each room has its own menu.
  new MutationObserver(() => menu.hidePopover()).observe(document.documentElement, {
    attributeFilter: ["data-room"],
  });
  hideBehindDialogs(menu, button);
  return menu;
}

/**
 * A dialog opened from the menu is inside the menu's element, so the menu is hidden, not closed,
 * until the dialog closes.
 * @param {HTMLElement} menu @param {HTMLElement} button opens the menu
 */
function hideBehindDialogs(menu, button) {
  let isInUse = false;
  let isOfMenu = false; // whether the open dialog was opened from the menu
  for (const type of ["click", "keydown"])
    addEventListener(
      type,
      (event) => {
        isInUse = event.composedPath().includes(menu);
      },
      { capture: true },
    );
  document.addEventListener("tinkerformer:dialog", ({ detail }) => {
    const isShown = () => menu.matches(":popover-open");
    const isInMenu = isWithin(detail.dialog, menu);
    // A dialog in the menu that opens without a press, as after a recording, opens the menu, too.
    if (detail.open && !isShown()) menu.togglePopover(isInMenu);
    menu.classList.toggle("behind", detail.open && isShown());
    if (detail.open) isOfMenu = isInUse || isInMenu;
    if (detail.open || !isOfMenu) return;
    menu.hidePopover();
    button.focus({ preventScroll: true });
  });
}

/** @param {Node | undefined} node @param {Node} outer an element that may contain the node */
function isWithin(node, outer) {
  for (let at = node; at; at = at instanceof ShadowRoot ? at.host : (at.parentNode ?? undefined))
    if (at === outer) return true;
  return false;
}
