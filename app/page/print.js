/**
 * On paper a frame in another page is the picture that it is on screen, smaller where paper is
 * narrower: laid out anew it would no longer fit the height that it has there.
 */
(() => {
  if (window.parent === window) return;
  const { style } = document.documentElement;
  let width = innerWidth;
  new ResizeObserver(() => {
    if (!matchMedia("print").matches) width = innerWidth;
  }).observe(document.documentElement);

  addEventListener("beforeprint", () => style.setProperty("zoom", String(innerWidth / width)));
  addEventListener("afterprint", () => style.removeProperty("zoom"));
})();
