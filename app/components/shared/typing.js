const FIELDS = "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]";

/** Returns whether a key is typed into a visible field. @param {Event} event */
export function isTyping(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches(FIELDS) && target.checkVisibility();
}

/** Returns whether a field has the focus; a page that is still loading must not move it. */
export function isFieldFocused() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.matches(FIELDS) ?? false;
}
