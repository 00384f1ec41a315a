/** Handles of pictures: sliders of any form, to be dragged or moved by arrow keys. */

import { setAttribute } from "../shared/dom.js";
import { nextPress } from "./press.js";

/**
 * @typedef {object} Grip what a handle sets
 * @property {() => number} value as it is shown
 * @property {(event: PointerEvent, start: Start) => number} at the value under the pointer
 * @property {() => number} step of an arrow key; Shift is a tenth of it, Page ten of it
 * @property {(value: number, press: Press) => void} set
 * @property {() => void} [release] after a drag
 *
 * @typedef {object} Press a drag, or a run of keys
 * @property {number} press counted from 1; 0 for keys @property {boolean} held
 *
 * @typedef {{x: number, y: number, value: number}} Start where a drag began
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
 * Makes an element a handle; `sayHandle` says its value.
 * @template {SVGElement | HTMLElement} Node
 * @param {Node} node @param {Grip} grip @returns {Node}
 */
export function asHandle(node, grip) {
  setAttribute(node, "role", "slider");
  setAttribute(node, "tabindex", 0);
  node.classList.add("handle");
  let press = 0;
  let start = { x: 0, y: 0, value: 0 };
  /** @param {PointerEvent} event */
  const down = (event) => {
    if (event.button || press) return;
    event.preventDefault(); // no selection of text
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    press = nextPress();
    start = { x: event.clientX, y: event.clientY, value: grip.value() };
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (press) grip.set(grip.at(event, start), { press, held: true });
  };
  const up = () => {
    if (!press) return;
    press = 0;
    grip.release?.();
  };
  /** @param {KeyboardEvent} event */
  const key = (event) => {
    if (!(event.key in MOVES) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = grip.step() * MOVES[event.key] * (event.shiftKey ? 0.1 : 1);
    grip.set(grip.value() + step, { press: 0, held: false });
  };
  node.addEventListener("pointerdown", /** @type {EventListener} */ (down));
  node.addEventListener("pointermove", /** @type {EventListener} */ (move));
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", up);
  node.addEventListener("keydown", /** @type {EventListener} */ (key));
  return node;
}

/**
 * Says a handle's name and value to screen readers.
 * @param {Element} node @param {string} label @param {number} value @param {string} text
 */
export function sayHandle(node, label, value, text) {
  setAttribute(node, "aria-label", label);
  // Assistive technology reads no exponent.
  setAttribute(node, "aria-valuenow", Number.isFinite(value) ? Number(value.toFixed(6)) : 0);
  setAttribute(node, "aria-valuetext", text);
}
