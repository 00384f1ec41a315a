/** Dispatches custom events on the document, for the rest of the page and for course pages. */

/** @param {string} name without the prefix `tinkerformer:` @param {object | null} [detail] */
export function announce(name, detail = null) {
  document.dispatchEvent(new CustomEvent(`tinkerformer:${name}`, { detail }));
}

/**
 * Announces whenever a dialog opens or closes; closes it by a button with `data-close` or a click
 * outside.
 * @param {HTMLDialogElement} dialog
 */
export function watchDialog(dialog) {
  const tell = () => announce("dialog", { open: dialog.open, dialog });
  new MutationObserver(tell).observe(dialog, { attributeFilter: ["open"] });
  dialog.addEventListener("click", ({ target }) => {
    // A click whose target is the dialog itself is outside the content.
    const closes = target instanceof Element && target.closest("[data-close]");
    if (closes || target === dialog) dialog.close();
  });
}
