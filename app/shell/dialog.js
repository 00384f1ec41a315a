import { announceDialog } from "../components/shared/announce.js";

/**
 * Announces when a dialog opens or closes; closes it by its button or a click outside.
 * @param {HTMLDialogElement} dialog @param {string} closeButton a selector
 */
export function watchDialog(dialog, closeButton) {
  announceDialog(dialog);
  dialog.addEventListener("click", ({ target }) => {
    // A click whose target is the dialog itself is outside the content.
    const isClose = target instanceof Element && target.closest(closeButton);
    if (target === dialog || isClose) dialog.close();
  });
}
