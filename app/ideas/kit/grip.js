/** Makes elements in a plane draggable, by pointer, touch and arrow keys. */

/**
 * @import {PlaneFigure, Point} from "./plane_figure.js"
 * @import {PlaneMoves} from "./plane_moves.js"
 *
 * @typedef {object} Grip for the elements of the figure with a `data-index`
 * @property {() => boolean} mayMove
 * @property {(index: number) => Point} where the current position of an element
 * @property {(index: number) => void} choose handles a press
 * @property {(event: PointerEvent) => number} [nearest] the index of the element to select when
 *   any element is pressed
 */

const SLACK = 4; // CSS px that a press may move before it becomes a drag
const STEPS = 60; // arrow key presses from one side of the plane to the other
const FINE = 10; // with Shift, a step is this many times smaller
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Returns the `data-index` at an event's target, −1 if there is none. @param {Event} event */
export function indexOf({ target }) {
  const node = /** @type {Element} */ (target).closest("[data-index]");
  return node instanceof SVGElement ? Number(node.dataset.index) : -1;
}

/** @param {PlaneFigure} figure @param {PlaneMoves} moves @param {Grip} grip */
export function draggable(figure, moves, grip) {
  const { svg } = figure;
  /** The start of the press, and the position of the element at that time. */
  let start = /** @type {{x: number, y: number, index: number, from: Point, at: Point} | null} */ (
    null
  );
  let isMoving = false;

  svg.addEventListener("pointerdown", (event) => {
    const pressed = indexOf(event);
    if (event.button !== 0 || pressed < 0) return;
    event.preventDefault();
    const index = grip.nearest?.(event) ?? pressed;
    const node = /** @type {SVGElement} */ (svg.querySelector(`[data-index="${index}"]`));
    node.focus({ preventScroll: true });
    grip.choose(index);
    if (!grip.mayMove()) return;
    node.setPointerCapture(event.pointerId);
    const [x, y] = [event.clientX, event.clientY];
    start = { x, y, index, from: grip.where(index), at: figure.pointAt(event) };
    isMoving = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!start) return;
    const moved = Math.hypot(event.clientX - start.x, event.clientY - start.y);
    if (!isMoving && moved < SLACK) return;
    if (!isMoving) moves.begin();
    isMoving = true;
    const { index, from, at } = start;
    const [x, y] = figure.pointAt(event);
    moves.move(index, [from[0] + x - at[0], from[1] + y - at[1]], true);
  });
  const end = () => {
    start = null;
    if (isMoving) moves.end();
    isMoving = false;
  };
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"])
    svg.addEventListener(type, end);
  svg.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    const index = indexOf(event);
    const isShortcut = event.ctrlKey || event.altKey || event.metaKey;
    if (!arrow || index < 0 || isShortcut || !grip.mayMove()) return;
    event.preventDefault();
    const step = figure.room.width / figure.scale / STEPS / (event.shiftKey ? FINE : 1);
    const [x, y] = grip.where(index);
    moves.move(index, [x + step * arrow[0], y + step * arrow[1]], false);
  });
}
