/** The frame of the drawer below the model; its buttons beside the model open and close it. */
(() => {
  const root = document.documentElement;

  /** @param {string} selector @returns {HTMLElement} */
  function find(selector) {
    const found = document.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const drawer = find("#drawer");
  const tall = find("#drawer-height");

  find("#drawer-close").addEventListener("click", () => {
    document.dispatchEvent(new CustomEvent("tinkerformer:close-drawer"));
  });
  /** @param {boolean} isTall */
  const stretch = (isTall) => {
    root.classList.toggle("tall-drawer", isTall);
    tall.setAttribute("aria-pressed", String(isTall));
  };
  tall.addEventListener("click", () => stretch(!root.classList.contains("tall-drawer")));
  // The picture's own controls stand beside those of the forms, where they share a row.
  const forms = find(".forms");
  new ResizeObserver(() => {
    const { position } = getComputedStyle(forms);
    const width = position === "absolute" ? forms.offsetWidth + 12 : 0;
    const height = position === "sticky" ? forms.offsetHeight : 0;
    root.style.setProperty("--forms-room", `${width}px`);
    root.style.setProperty("--forms-height", `${height}px`);
    // A tall drawer leaves this much of them in sight, which opens and closes it.
    root.style.setProperty("--forms-line", `${forms.offsetHeight}px`);
  }).observe(forms);
  new MutationObserver(() => {
    drawer.scrollTop = 0;
    stretch(false);
  }).observe(root, { attributeFilter: ["data-drawer"] });
})();
