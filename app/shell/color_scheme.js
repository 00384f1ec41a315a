/** Switches between the light and the dark color scheme. */

import { find } from "./find.js";

const STORED = "tinkerformer-theme";

export function listenToColorScheme() {
  const { dataset } = document.documentElement;
  const button = find("#theme-button");

  /** Names the theme that a press gives. */
  const label = () => {
    button.textContent = dataset.theme === "dark" ? "Light theme" : "Dark theme";
  };

  /** @param {"light" | "dark"} theme */
  function setTheme(theme) {
    dataset.theme = theme;
    document.dispatchEvent(new CustomEvent("tinkerformer:theme", { detail: { theme } }));
  }

  button.addEventListener("click", () => {
    const theme = dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(STORED, theme);
    } catch {
      /* storage denied: the choice is not stored */
    }
    setTheme(theme);
  });
  label();
  new MutationObserver(label).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    let kept = null;
    try {
      kept = localStorage.getItem(STORED);
    } catch {
      /* storage denied: follow the system */
    }
    const { wished } = dataset;
    if (wished === "auto" || !(kept || wished)) setTheme(event.matches ? "dark" : "light");
  });
}
