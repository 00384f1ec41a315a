/** Moves handles in pictures, which are sliders of any shape, by dragging or by arrow keys. */

import { nextPress } from "./press.js";

/**
 * @typedef {object} Grip the value that a handle sets
 * @property {() => number} value the current value
 * @property {(event: PointerEvent, start: Start) => number} at the value under the pointer
 * @property {number} step of an arrow key; a tenth of it with Shift, ten times with Page keys
 * @property {(value: number, press: Press) => void} set
 * @property {() => void} [release] after a drag
 *
 * @typedef {Element & {grip: Grip}} Handle an element with the class `handle`
 *
 * @typedef {object} Press a drag, or a series of keys
 * @property {number} press its number, from 1; 0 for keys @property {boolean} held
 *
 * @typedef {{x: number, y: number, value: number, node: Handle}} Start the start of a drag
 */

const MOVES = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
});

/**
 * Makes the handles in a picture movable by pointer and keys. Templates set the `grip` of each.
 * @template {HTMLElement} Root
 * @param {Root} root @returns {Root}
 */
export function withHandles(root) {
  let press = 0;
  let start = /** @type {Start | null} */ (null);
  /** @param {Event} event @returns {Handle | null} */
  const handleOf = ({ target }) => /** @type {Element} */ (target).closest(".handle");
  root.addEventListener("pointerdown", (event) => {
    const node = handleOf(event);
    if (event.button || start || !node) return;
    event.preventDefault(); // no text selection
    /** @type {Handle & HTMLOrSVGElement} */ (node).focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    press = nextPress();
    start = { x: event.clientX, y: event.clientY, value: node.grip.value(), node };
  });
  root.addEventListener("pointermove", (event) => {
    if (!start) return;
    const { grip } = start.node;
    grip.set(grip.at(event, start), { press, held: true });
  });
  const up = () => {
    start?.node.grip.release?.();
    start = null;
  };
  root.addEventListener("pointerup", up);
  root.addEventListener("pointercancel", up);
  root.addEventListener("keydown", (event) => {
    const grip = handleOf(event)?.grip;
    if (!grip || !(event.key in MOVES) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = grip.step * MOVES[event.key] * (event.shiftKey ? 0.1 : 1);
    grip.set(grip.value() + step, { press: 0, held: false });
  });
  return root;
}

/** Rounds for `aria-valuenow`, where an exponent would be unreadable. @param {number} value */
export const valueNow = (value) => (Number.isFinite(value) ? Number(value.toFixed(6)) : 0);
