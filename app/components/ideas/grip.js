/** What can be dragged in a plane, by pointer, touch and the arrow keys. */

/**
 * @import {PlaneFigure, Point} from "./plane_figure.js"
 *
 * @typedef {object} Grip
 * @property {() => boolean} mayMove
 * @property {() => Point} where it stands now
 * @property {() => void} choose it was pressed
 * @property {(to: Point, press: "pointer" | "key") => void} move
 * @property {() => void} begin a pointer begins to move it
 * @property {() => void} end the pointer has let go
 */

const SLACK = 4; // CSS px that a press may slip and still is none of a move
const STEPS = 60; // presses of an arrow key from one side of the plane to the other
const FINE = 10; // times finer with Shift
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Lets a node be dragged; a press on it is heard here, or by who calls the returned function.
 * @param {SVGElement} node @param {PlaneFigure} figure @param {Grip} grip
 * @param {{hears?: boolean}} [how]
 * @returns {(event: PointerEvent) => void}
 */
export function draggable(node, figure, grip, { hears = true } = {}) {
  /** Where the press began, and from where the node is moved. */
  let start = /** @type {{x: number, y: number, from: Point, at: Point} | null} */ (null);
  let isMoving = false;

  /** @param {PointerEvent} event */
  const press = (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    node.focus({ preventScroll: true });
    grip.choose();
    if (!grip.mayMove()) return;
    node.setPointerCapture(event.pointerId);
    const at = figure.pointAt(event);
    start = { x: event.clientX, y: event.clientY, from: grip.where(), at };
    isMoving = false;
  };
  if (hears) node.addEventListener("pointerdown", press);
  node.addEventListener("pointermove", (event) => {
    if (!start) return;
    const moved = Math.hypot(event.clientX - start.x, event.clientY - start.y);
    if (!isMoving && moved < SLACK) return;
    if (!isMoving) grip.begin();
    isMoving = true;
    const [x, y] = figure.pointAt(event);
    grip.move([start.from[0] + x - start.at[0], start.from[1] + y - start.at[1]], "pointer");
  });
  const end = () => {
    start = null;
    if (isMoving) grip.end();
    isMoving = false;
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
  node.addEventListener("lostpointercapture", end);
  node.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.altKey || event.metaKey || !grip.mayMove()) return;
    event.preventDefault();
    const step = figure.room.width / figure.scale / STEPS / (event.shiftKey ? FINE : 1);
    const [x, y] = grip.where();
    grip.move([x + step * arrow[0], y + step * arrow[1]], "key");
  });
  return press;
}
