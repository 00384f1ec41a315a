/** The time between two measurements of a changing line, in ms; a measurement forces a layout. */
const PAUSE = 200;

/** Lets a long line scroll sideways, and fades the ends that are cut. @param {HTMLElement} box */
export function fadeEdges(box) {
  // The style sheet decides which box of a line scrolls.
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
      // A mouse wheel, which usually scrolls vertically, scrolls the line sideways.
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
