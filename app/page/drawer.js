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
  tall.addEventListener("click", () => {
    const isTall = root.classList.toggle("tall-drawer");
    tall.setAttribute("aria-pressed", String(isTall));
  });
  // The picture's own controls stand beside those of the forms, where they share a row.
  const forms = find(".forms");
  new ResizeObserver(() => {
    const { position } = getComputedStyle(forms);
    const width = position === "absolute" ? forms.offsetWidth + 12 : 0;
    const height = position === "sticky" ? forms.offsetHeight : 0;
    root.style.setProperty("--forms-room", `${width}px`);
    root.style.setProperty("--forms-height", `${height}px`);
  }).observe(forms);
  new MutationObserver(() => {
    drawer.scrollTop = 0;
  }).observe(root, { attributeFilter: ["data-drawer"] });
})();
