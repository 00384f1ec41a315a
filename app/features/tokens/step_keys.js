/** Finds the chip to which a key moves the focus in a row, which is one Tab stop. */

export const STEP_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/**
 * Returns the index to which a key moves the focus; it may be beyond either end.
 * @param {KeyboardEvent} event @param {number} at @param {number} last
 * @returns {number | undefined} undefined for any other key
 */
export function stepOf(event, at, last) {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  /** @type {Record<string, number | undefined>} */
  const goals = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
  };
  return goals[event.key];
}
