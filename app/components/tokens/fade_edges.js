/** ms between two looks at a line whose words change: each has the browser lay out the page. */
const PAUSE = 200;

/**
 * A line that is longer than its box scrolls sideways in it, and fades where there is more of it.
 * @param {HTMLElement} box
 */
export function fadeEdges(box) {
  // Which box of a line it is that scrolls, is for the style sheet to say.
  const scrolls = () => getComputedStyle(box).overflowX === "auto";
  const show = () => {
    const left = box.scrollLeft > 1;
    const right = scrolls() && box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
    box.classList.toggle("more-left", left);
    box.classList.toggle("more-right", right);
  };
  box.addEventListener("scroll", show, { passive: true });
  box.addEventListener(
    "wheel",
    (event) => {
      // A wheel turns one way only: here that is the way there is.
      if (event.deltaX || event.ctrlKey || !scrolls()) return;
      const before = box.scrollLeft;
      box.scrollLeft += event.deltaY;
      if (box.scrollLeft !== before) event.preventDefault();
    },
    { passive: false },
  );
  new ResizeObserver(show).observe(box);
  let due = 0;
  const showSoon = () => {
    if (due) return;
    due = setTimeout(() => {
      due = 0;
      show();
    }, PAUSE);
  };
  new MutationObserver(showSoon).observe(box, {
    childList: true,
    subtree: true,
    characterData: true,
  });
}
