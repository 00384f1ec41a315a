/** Computes the height that an iframe needs for the page. */

const LESSON_HEIGHT = 680; // CSS px, for the text of a lesson and the picture beside or above it

/** @param {(height: number) => void} send receives each new height, in CSS px */
export function sendHeight(send) {
  const root = document.documentElement;
  if (root.dataset.height !== "auto") return;
  const asked = new URLSearchParams(root.dataset.query ?? location.search).get("view") ?? "";
  let told = 0;
  // Lay the page out for the requested lesson before it has loaded.
  let comes = /^(lesson|dare):/.test(asked);
  const tell = () => {
    const isOpen = root.dataset.lesson !== undefined;
    // If the lesson does not exist, the page shows the list of lessons.
    comes &&= !isOpen && root.dataset.view !== "lessons";
    // At the height of its content, a lesson's text would be far from its picture.
    root.dataset.height = isOpen || comes ? "frame" : "auto";
    const own = Math.ceil(document.body.getBoundingClientRect().height);
    const height = isOpen || comes ? LESSON_HEIGHT : own;
    if (height === told) return;
    told = height;
    send(height);
  };
  new ResizeObserver(tell).observe(document.body);
  new MutationObserver(tell).observe(root, { attributeFilter: ["data-lesson", "data-view"] });
}
