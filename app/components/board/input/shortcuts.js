/**
 * Keys that work anywhere on the page: Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, Escape leaves
 * what was begun last; in a text field they are its own.
 */

/** @import {Send} from "../data/types.js" */

export class Shortcuts {
  /** @param {Send} send @param {() => void} leave what swings, is followed or is selected */
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
 * Whether an Escape is another's: of a text field, a dialog, or of a panel that it has closed.
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
