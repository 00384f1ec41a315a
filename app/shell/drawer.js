/** The frame of the drawer: its height and its close button. */

import { areas } from "./areas.js";
import { find } from "./find.js";

export function listenToDrawer() {
  const drawer = find("#drawer");
  const height = find("#drawer-height");

  /** @param {boolean} tall */
  const stretch = (tall) => {
    height.setAttribute("aria-pressed", String(tall));
    document.body.classList.toggle("tall", tall);
    areas.set({ tall });
  };
  height.addEventListener("click", () => stretch(height.getAttribute("aria-pressed") !== "true"));
  find("#drawer-close").addEventListener("click", () => {
    document.dispatchEvent(new CustomEvent("tinkerformer:close-drawer"));
  });
  new MutationObserver(() => {
    drawer.scrollTop = 0;
    stretch(false);
  }).observe(document.documentElement, { attributeFilter: ["data-drawer"] });
}
