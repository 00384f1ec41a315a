/**
 * When printing, scales an iframe's content to the paper's width. The content keeps its layout,
 * because a new layout would not fit the iframe's height.
 */
export function fitPaper() {
  if (window.parent === window) return;
  const { style } = document.documentElement;
  let width = innerWidth;
  let waiting = 0;
  // A browser may narrow the iframe shortly before it dispatches the events below.
  const AT_REST_MS = 300;
  const keep = () => {
    if (!matchMedia("print").matches) width = innerWidth;
  };
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(keep, AT_REST_MS);
  });
  // An iframe that is not shown yet has a width of 0.
  const zoom = () => (width ? innerWidth / width : 1);

  // Some browsers lay the iframe out for print before the first event, others before the second.
  const fit = () => style.setProperty("zoom", String(zoom()));
  addEventListener("beforeprint", fit);
  matchMedia("print").addEventListener("change", ({ matches }) => matches && fit());
  addEventListener("afterprint", () => style.removeProperty("zoom"));
}
