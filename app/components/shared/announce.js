/** Dispatches custom events on the document, for the rest of the page and for course pages. */

/** @param {string} name without the prefix `tinkerformer:` @param {object | null} [detail] */
export function announce(name, detail = null) {
  document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
}

/** Announces whenever a dialog opens or closes. @param {HTMLDialogElement} dialog */
export function announceDialog(dialog) {
  const tell = () => announce("dialog", { open: dialog.open, dialog });
  new MutationObserver(tell).observe(dialog, { attributeFilter: ["open"] });
}
