import { moved } from "./token_text.js";

/**
 * Reorders chips by dragging: with the mouse immediately, with a finger after a short press,
 * because a finger that moves immediately scrolls.
 */

const CLEARLY = 6; // px that the pointer moves before a drag begins
const HOLD_MS = 350;

/**
 * @typedef {object} Drag
 * @property {HTMLElement} item @property {number} from
 * @property {number} x the position of the press, in CSS px
 * @property {number} y
 * @property {boolean} moves whether the item is being dragged
 * @property {number} timer
 */

/** @param {HTMLElement} list @param {(from: number, to: number) => void} move */
export function dragToReorder(list, move) {
  const dragged = new Reordering(list, move);
  list.addEventListener("pointerdown", (event) => dragged.take(event));
}

/** During a drag only the CSS `order` of the items changes; no element is moved. */
class Reordering {
  /** @param {HTMLElement} list @param {(from: number, to: number) => void} move */
  constructor(list, move) {
    this.list = list;
    this.move = move;
    this.drag = /** @type {Drag | null} */ (null);
    this.items = /** @type {HTMLElement[]} */ ([]); // in displayed order
    this.listening = new AbortController();
  }

  /** @param {PointerEvent} event */
  take(event) {
    const { target } = event;
    const chip = target instanceof Element ? target.closest("button.chip") : null;
    const item = chip?.closest("li");
    if (!item || event.button !== 0 || this.list.children.length < 2) return;
    this.items = [...this.list.querySelectorAll("li")];
    const from = this.items.indexOf(item);
    const { clientX: x, clientY: y } = event;
    const timer = event.pointerType === "mouse" ? 0 : setTimeout(() => this.lift(), HOLD_MS);
    this.drag = { item, from, x, y, moves: false, timer };
    this.listen();
  }

  listen() {
    this.listening = new AbortController();
    const { signal } = this.listening;
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !this.drag?.moves) return;
      event.preventDefault();
      this.letGo();
    };
    const hold = (/** @type {TouchEvent} */ event) => {
      if (this.drag?.moves) event.preventDefault();
    };
    document.addEventListener("pointermove", (event) => this.follow(event), { signal });
    document.addEventListener("pointerup", () => this.drop(), { signal });
    document.addEventListener("pointercancel", () => this.letGo(), { signal });
    document.addEventListener("keydown", press, { signal, capture: true });
    // To keep a dragging finger from scrolling, the listener must exist before the touch moves.
    document.addEventListener("touchmove", hold, { signal, passive: false });
  }

  lift() {
    if (!this.drag) return;
    this.drag.moves = true;
    this.drag.item.classList.add("dragged");
  }

  /** @param {PointerEvent} event */
  follow({ clientX, clientY, pointerType }) {
    const { drag } = this;
    if (!drag) return;
    if (!drag.moves) {
      if (Math.hypot(clientX - drag.x, clientY - drag.y) < CLEARLY) return;
      if (pointerType !== "mouse") {
        this.letGo();
        return;
      }
      this.lift();
    }
    const over = this.items.find((each) => {
      const box = each.getBoundingClientRect();
      const isInLine = clientY >= box.top && clientY <= box.bottom;
      return isInLine && clientX >= box.left && clientX <= box.right;
    });
    if (!over || over === drag.item) return;
    const { items } = this;
    this.items = moved(items, items.indexOf(drag.item), items.indexOf(over));
    // Negative, because elements after the list have order 0.
    for (const [k, each] of this.items.entries()) each.style.order = String(k - items.length);
  }

  drop() {
    if (!this.drag) return;
    const { item, from, moves } = this.drag;
    const to = this.items.indexOf(item);
    this.end();
    if (!moves) return;
    // The click at the end of the drag must not count as a click on the chip.
    const swallow = (/** @type {Event} */ event) => event.stopPropagation();
    item.addEventListener("click", swallow, { capture: true });
    setTimeout(() => {
      item.removeEventListener("click", swallow, { capture: true });
      this.putBack();
      if (to !== from) this.move(from, to);
    });
  }

  putBack() {
    for (const each of this.items) each.style.order = "";
  }

  /** Ends the drag and puts the item back. */
  letGo() {
    if (!this.drag) return;
    this.putBack();
    this.end();
  }

  end() {
    if (!this.drag) return;
    clearTimeout(this.drag.timer);
    this.drag.item.classList.remove("dragged");
    this.drag = null;
    this.listening.abort();
  }
}
