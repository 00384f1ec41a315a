/**
 * Records every layout shift that the browser measures, also just after an input. `shifts.all`
 * lists each with its value, the action at the time, and the moved elements with both their boxes.
 */

(() => {
  const shifts = { all: [], deed: "loading" };
  window.shifts = shifts;

  const round = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(",");
  const nameOf = (node) => {
    if (!node) return "?";
    const el = node instanceof Element ? node : node.parentElement;
    const text = node.textContent.trim().replace(/\s+/g, " ").slice(0, 30);
    return `${el?.localName}${el?.id ? `#${el.id}` : ""}.${el?.getAttribute("class") ?? ""} “${text}”`;
  };

  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput: input, sources } of list.getEntries())
      shifts.all.push({
        value,
        input,
        deed: shifts.deed,
        sources: sources.map(({ node, previousRect, currentRect }) => ({
          name: nameOf(node),
          from: round(previousRect),
          to: round(currentRect),
        })),
      });
  }).observe({ type: "layout-shift", buffered: true });

  /** Lets display frames pass. @param {number} frames */
  shifts.rest = async (frames) => {
    for (let k = 0; k < frames; k++) await new Promise(requestAnimationFrame);
  };
})();
