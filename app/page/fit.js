/**
 * What finds no room in the frame's first line goes into the menu, one thing after the other; the
 * views that then find none go under More, which they see to themselves.
 */
(() => {
  /**
   * In the order in which they go: controls by the names of their fields, the page's name, of
   * which the sign stays, and the words beside signs that say the same.
   */
  const NAME = "name";
  const WORDS = "words";
  const STEPS = [NAME, WORDS, "share", "plane", "training", "pin", "redo"];

  /** @param {string} selector @returns {HTMLElement} */
  function find(selector) {
    const found = document.querySelector(selector);
    if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const line = find(".top");
  const views = find(".slot-views");

  /** @param {number} count of the steps that are taken */
  function take(count) {
    STEPS.forEach((name, at) => {
      const isAway = at < count;
      if (name === NAME) line.classList.toggle("no-name", isAway);
      const there = name === WORDS ? "inline" : "block";
      line.style.setProperty(`--line-${name}`, isAway ? "none" : there);
      line.style.setProperty(`--menu-${name}`, isAway ? "block" : "none");
    });
  }

  const root = document.documentElement;

  /** Whether all views that are to have a tab have room for it; on a narrow page they are below. */
  function fits() {
    if (line.scrollWidth > line.clientWidth) return false;
    const isBelow = getComputedStyle(views).position === "fixed";
    return isBelow || Number(root.dataset.viewsWidth ?? 0) <= views.clientWidth;
  }

  function fit() {
    let count = 0;
    take(count);
    while (!fits() && count < STEPS.length) {
      count += 1;
      take(count);
    }
  }

  // Text that arrives, or is drawn in another font, takes another width.
  const sizes = new ResizeObserver(fit);
  sizes.observe(line);
  new MutationObserver(fit).observe(root, { attributeFilter: ["data-views-width"] });
  for (const slot of line.children) if (slot !== views) sizes.observe(slot);
  document.fonts?.addEventListener("loadingdone", fit);
})();
