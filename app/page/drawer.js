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
  /** What is written on the page's root is a change of style for all of the page. */
  const written = /** @type {Map<string, number>} */ (new Map());
  /** @param {string} name @param {number} length px */
  const write = (name, length) => {
    if (written.get(name) === length) return;
    written.set(name, length);
    root.style.setProperty(name, `${length}px`);
  };
  new ResizeObserver(() => {
    // All is read before anything is written, or the page is laid out again in between.
    const { position } = getComputedStyle(forms);
    const { offsetWidth: width, offsetHeight: height } = forms;
    write("--forms-room", position === "absolute" ? width + 12 : 0);
    write("--forms-height", position === "sticky" ? height : 0);
    // A tall drawer leaves this much of them in sight, which opens and closes it.
    write("--forms-line", height);
  }).observe(forms);
  new MutationObserver(() => {
    drawer.scrollTop = 0;
    stretch(false);
  }).observe(root, { attributeFilter: ["data-drawer"] });
})();
