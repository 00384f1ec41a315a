/** Accepts files that are dropped anywhere on the page. */

const OVER = "over"; // the element's class while files are dragged over it

/**
 * Calls a function with files that are dropped anywhere on the page. An open dialog that accepts
 * files has priority over the page.
 * @param {HTMLElement} element the page, or a dialog that accepts files only while it is open
 * @param {(files: File[]) => void} take @param {AbortSignal} signal removes the listeners
 */
export function acceptDrops(element, take, signal) {
  const page = document.documentElement;
  const isOff = () => "open" in element && !element.open;
  /** @param {DragEvent} event */
  const over = (event) => {
    if (isOff() || event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    element.classList.add(OVER);
  };
  /** @param {DragEvent} event */
  const leave = ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && page.contains(relatedTarget)))
      element.classList.remove(OVER);
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    element.classList.remove(OVER);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (isOff() || event.defaultPrevented || files.length === 0) return;
    event.preventDefault();
    take(files);
  };
  const options = { signal, capture: element !== page };
  page.addEventListener("dragover", over, options);
  page.addEventListener("dragleave", leave, options);
  page.addEventListener("drop", drop, options);
}
