/**
 * Keyboard shortcuts for the whole page: Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, and Escape
 * ends the most recent mode. Text fields keep these keys.
 */

/** @import {Send} from "../data/types.js" */

export class Shortcuts {
  /**
   * @param {Send} send @param {() => void} leave ends an oscillation, following a word, or a
   *   selection
   */
  constructor(send, leave) {
    /** @param {KeyboardEvent} event */
    this.listener = (event) => {
      if (event.key === "Escape" && !isTaken(event)) leave();
      if (!(event.ctrlKey || event.metaKey) || event.altKey || isInText(event)) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      send({ type: key === "y" || event.shiftKey ? "redo" : "undo" });
    };
    document.addEventListener("keydown", this.listener);
  }

  remove() {
    document.removeEventListener("keydown", this.listener);
  }
}

/**
 * Whether Escape belongs to a text field, a dialog, or a panel that it has just closed.
 * @param {Event} event
 */
const isTaken = (event) =>
  event.defaultPrevented ||
  isInText(event) ||
  event.composedPath().some((node) => node instanceof HTMLDialogElement);

/** @param {Event} event */
function isInText(event) {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === "text")
  );
}
