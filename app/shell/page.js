/** Page functions that need no server: color scheme and help. */
(() => {
  const root = document.documentElement;

  /**
   * Returns an element of the template, which must exist.
   * @template {Element} Kind
   * @param {ParentNode} within @param {string} selector @param {new () => Kind} kind
   */
  function find(within, selector, kind) {
    const found = within.querySelector(selector);
    if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  // Remove the placeholder once the page shows numbers.
  const skeleton = document.querySelector(".skeleton");
  document.addEventListener("tinkerformer:ready", () => skeleton?.remove(), { once: true });

  // -- light and dark --------------------------------------------------------------------------

  const themeButton = find(document, "#theme-button", HTMLElement);

  /** @param {"light" | "dark"} theme */
  function setTheme(theme) {
    root.dataset.theme = theme;
    themeButton.setAttribute("aria-pressed", String(theme === "dark"));
    document.dispatchEvent(new CustomEvent("tinkerformer:theme", { detail: { theme } }));
  }

  themeButton.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("tinkerformer-theme", theme);
    } catch {
      /* storage denied: switched, but not remembered */
    }
    setTheme(theme);
  });
  themeButton.setAttribute("aria-pressed", String(root.dataset.theme === "dark"));

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    let kept = null;
    try {
      kept = localStorage.getItem("tinkerformer-theme");
    } catch {
      /* storage denied: follow the system */
    }
    const { wished } = root.dataset;
    if (wished === "auto" || !(kept || wished)) setTheme(event.matches ? "dark" : "light");
  });

  // -- help ------------------------------------------------------------------------------------

  const help = find(document, "#help", HTMLDialogElement);
  new MutationObserver(() => {
    const detail = { open: help.open };
    document.dispatchEvent(new CustomEvent("tinkerformer:dialog", { detail }));
  }).observe(help, { attributeFilter: ["open"] });

  const showHelp = () => {
    if (!help.open) help.showModal();
  };
  find(document, "#help-button", HTMLElement).addEventListener("click", showHelp);
  help.addEventListener("click", ({ target }) => {
    // A click whose target is the dialog itself is outside its content.
    const isClose = target instanceof Element && target.closest("[data-close-help]");
    if (target === help || isClose) help.close();
  });
})();
