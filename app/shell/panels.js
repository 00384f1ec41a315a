/** Closes the open panel of the page by Escape, and opens panels by the skip links. */

import { find } from "./find.js";
import { InspectorPanel } from "./inspector_panel.js";
import { listenToMenu } from "./menu.js";

export function listenToPanels() {
  const menu = listenToMenu();
  const settings = find("#left");
  const inspector = new InspectorPanel();
  const drawerClose = find("#drawer-close");

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const path = event.composedPath();
    // In an open dialog, Escape closes only the dialog.
    if (path.some((node) => node instanceof HTMLDialogElement && node.open)) return;
    const open = [menu, settings].find((panel) => panel.matches(":popover-open"));
    if (open) open.hidePopover();
    else if (inspector.narrow.matches && path.includes(inspector.el)) inspector.set(false);
    else if (drawerClose.checkVisibility() && !window.tinkerformer?.oscillating())
      drawerClose.click();
    else return;
    event.preventDefault(); // let this key press close nothing else
  });

  /** @param {string} name the id of a panel or a region */
  const skipTo = (name) => {
    if (name === settings.id) settings.showPopover();
    else if (name === inspector.el.id) inspector.openFully(true);
    else if (name !== "main" || document.documentElement.dataset.room !== "explore")
      document.getElementById(name)?.focus();
    else document.dispatchEvent(new CustomEvent("tinkerformer:focus-board", { detail: null }));
  };
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll(".skip a");
  for (const link of links)
    link.addEventListener("click", (event) => {
      event.preventDefault();
      skipTo(link.hash.slice(1));
    });
}
