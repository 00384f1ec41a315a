/**
 * Keyboard shortcuts for the whole page: Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, and Escape
 * ends the most recent mode. Text fields keep these keys.
 */

import { bindKeys } from "../../components/shared/keys.js";

/** @import {Send} from "../data/types.js" */

/**
 * @param {Send} send @param {() => boolean} leave stops an oscillation, unfollows a word or clears
 *   the selection; returns whether it did one of these
 * @param {AbortSignal} signal removes the shortcuts
 */
export function bindShortcuts(send, leave, signal) {
  /** @param {"undo" | "redo"} type */
  const say = (type) => (/** @type {Event} */ event) => {
    if (isInText(event)) return false;
    send({ type });
    return true;
  };
  const bindings = [
    { keys: ["Control+Z"], does: "undoes", run: say("undo") },
    { keys: ["Control+Shift+Z", "Control+Y"], does: "does it again", run: say("redo") },
    {
      keys: ["Escape"],
      does: "stops an oscillation; releases a word, then a number",
      run: (/** @type {Event} */ event) => !isTaken(event) && leave(),
    },
  ];
  bindKeys(document, "Anywhere", bindings, { signal });
}

/** Whether a text field, a dialog or another component uses the key. @param {Event} event */
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
