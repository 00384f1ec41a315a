/**
 * Whether a key press is typed into a field.
 * @param {Event} event
 */
export function isTyping(event) {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]")
  );
}
