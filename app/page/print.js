/**
 * On paper a frame in another page is the picture that it is on screen, smaller where paper is
 * narrower: laid out anew it would no longer fit the height that it has there.
 */
(() => {
  if (window.parent === window) return;
  const { style } = document.documentElement;
  let width = innerWidth;
  let waiting = 0;
  // A browser may narrow the frame a moment before it says that this is for paper.
  const AT_REST_MS = 300;
  const keep = () => {
    if (!matchMedia("print").matches) width = innerWidth;
  };
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(keep, AT_REST_MS);
  });
  // A width of nothing is that of a frame that is not shown yet.
  const zoom = () => (width ? innerWidth / width : 1);

  // A browser lays the frame out for paper either before the first of these or before the second.
  const fit = () => style.setProperty("zoom", String(zoom()));
  addEventListener("beforeprint", fit);
  matchMedia("print").addEventListener("change", ({ matches }) => matches && fit());
  addEventListener("afterprint", () => style.removeProperty("zoom"));
})();
