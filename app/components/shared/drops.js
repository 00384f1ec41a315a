/** Files that are dropped on an element or anywhere on the page. */

const OVER = "over"; // the class of the element while files are held over it

/**
 * Calls a function with the files that are dropped on an element, unless another element in it
 * takes them.
 * @param {HTMLElement} element @param {(files: File[]) => void} take
 * @param {AddEventListenerOptions} [options]
 */
export function acceptDrops(element, take, options) {
  /** @param {DragEvent} event */
  const over = (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    element.classList.add(OVER);
  };
  /** @param {DragEvent} event */
  const leave = ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget)))
      element.classList.remove(OVER);
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    element.classList.remove(OVER);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (event.defaultPrevented || files.length === 0) return;
    event.preventDefault();
    take(files);
  };
  element.addEventListener("dragover", over, options);
  element.addEventListener("dragleave", leave, options);
  element.addEventListener("drop", drop, options);
}
