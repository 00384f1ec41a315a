const FIELDS = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";

/** Whether a key is typed into a field, also one just hidden. @param {Event} event */
export function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches(FIELDS) && target.checkVisibility();
}

/** Whether a field has the focus, which a page that is still loading must not move. */
export function isFieldFocused() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.matches(FIELDS) ?? false;
}
