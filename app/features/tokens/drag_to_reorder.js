import { moved } from "./token_text.js";

/**
 * Reorders chips by dragging: with the mouse at once, with a finger after a short press, because a
 * finger that moves at once scrolls.
 */

const CLEARLY = 6; // px that the pointer moves before a drag begins
const HOLD_MS = 350;

/**
 * @typedef {object} Drag
 * @property {HTMLElement} item
 * @property {number} from
 * @property {number} x where the press began
 * @property {number} y
 * @property {boolean} moves whether the item is being dragged
 * @property {number} timer
 */

/**
 * During a drag only the CSS `order` of the items changes; no element is moved.
 * @param {HTMLElement} list contains the items
 * @param {(from: number, to: number) => void} move
 */
export function dragToReorder(list, move) {
  /** @type {Drag | null} */
  let drag = null;
  let items = /** @type {HTMLElement[]} */ ([]); // in displayed order

  /** @param {PointerEvent} event */
  function take(event) {
    const { target } = event;
    const chip = target instanceof Element ? target.closest("button.chip") : null;
    const item = chip?.closest("li");
    if (!item || event.button !== 0 || list.children.length < 2) return;
    items = [...list.querySelectorAll("li")];
    const from = items.indexOf(item);
    const { clientX: x, clientY: y } = event;
    const timer = event.pointerType === "mouse" ? 0 : setTimeout(lift, HOLD_MS);
    drag = { item, from, x, y, moves: false, timer };
    listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("pointermove", follow, { signal });
    document.addEventListener("pointerup", drop, { signal });
    document.addEventListener("pointercancel", letGo, { signal });
    document.addEventListener("keydown", pressed, { signal, capture: true });
    // To keep a dragging finger from scrolling, the listener must exist before the touch moves.
    document.addEventListener("touchmove", hold, { signal, passive: false });
  }
  let listening = new AbortController();

  function lift() {
    if (!drag) return;
    drag.moves = true;
    drag.item.classList.add("dragged");
  }

  /** @param {TouchEvent} event */
  function hold(event) {
    if (drag?.moves) event.preventDefault();
  }

  /** @param {PointerEvent} event */
  function follow({ clientX, clientY, pointerType }) {
    if (!drag) return;
    if (!drag.moves) {
      if (Math.hypot(clientX - drag.x, clientY - drag.y) < CLEARLY) return;
      if (pointerType !== "mouse") {
        letGo();
        return;
      }
      lift();
    }
    const over = items.find((each) => {
      const box = each.getBoundingClientRect();
      const isInLine = clientY >= box.top && clientY <= box.bottom;
      return isInLine && clientX >= box.left && clientX <= box.right;
    });
    if (!over || over === drag.item) return;
    items = moved(items, items.indexOf(drag.item), items.indexOf(over));
    // Negative, because elements after the list have order 0.
    for (const [k, each] of items.entries()) each.style.order = String(k - items.length);
  }

  function drop() {
    if (!drag) return;
    const { item, from, moves } = drag;
    const to = items.indexOf(item);
    end();
    if (!moves) return;
    // The click at the end of the drag must not count as a click on the chip.
    const swallow = (/** @type {Event} */ event) => event.stopPropagation();
    item.addEventListener("click", swallow, { capture: true });
    setTimeout(() => {
      item.removeEventListener("click", swallow, { capture: true });
      putBack();
      if (to !== from) move(from, to);
    });
  }

  function putBack() {
    for (const each of items) each.style.order = "";
  }

  /** Ends the drag and puts the item back. */
  function letGo() {
    if (!drag) return;
    putBack();
    end();
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.key !== "Escape" || !drag?.moves) return;
    event.preventDefault();
    letGo();
  }

  function end() {
    if (!drag) return;
    clearTimeout(drag.timer);
    drag.item.classList.remove("dragged");
    drag = null;
    listening.abort();
  }

  list.addEventListener("pointerdown", take);
}
