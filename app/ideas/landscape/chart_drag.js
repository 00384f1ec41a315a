/**
 * Moves the place in a landscape by presses and drags in its chart. Bokeh draws the chart and
 * reports presses only to its own server, so the listeners are on the document.
 */

import { chartNamed, distanceTo, placeIn } from "./chart_press.js";

/**
 * @import {BokehPlot} from "./chart_press.js"
 *
 * @typedef {object} Landscape
 * @property {string} chart @property {[number, number]} value the place
 * @property {boolean} is_way @property {boolean} can_move
 *
 * @typedef {object} Moves
 * @property {() => boolean} isShown
 * @property {() => void} begin a drag
 * @property {(x: number, y: number, held: boolean) => void} move @property {() => void} end
 */

const FINGER = 40; // CSS px around the dot within which a touch drags it

export class ChartDrag {
  /** @param {Landscape} model @param {Moves} on @param {AbortSignal} signal */
  constructor(model, on, signal) {
    this.model = model;
    this.on = on;
    this.pressed = /** @type {BokehPlot | null} */ (null);
    const how = { signal, capture: true };
    document.addEventListener("pointerdown", (event) => this.down(event), how);
    document.addEventListener("touchstart", (event) => this.touch(event), {
      ...how,
      passive: false,
    });
    document.addEventListener("click", (event) => this.click(event), how);
    document.addEventListener("pointermove", (event) => this.drag(event), how);
    document.addEventListener("pointerup", () => this.up(), how);
    document.addEventListener("pointercancel", () => this.up(), how);
  }

  /** @param {Event} event @returns {BokehPlot | null} the chart, if the event is within it */
  chartOf(event) {
    const chart = chartNamed(this.model.chart);
    return chart?.el && event.composedPath().includes(chart.el) ? chart : null;
  }

  /** @param {BokehPlot} chart @param {{clientX: number, clientY: number}} at */
  isOnDot(chart, at) {
    return distanceTo(chart, this.model.value, at) <= FINGER;
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { can_move: canMove, is_way: isWay } = this.model;
    if (event.button !== 0 || !canMove || !this.on.isShown()) return;
    const chart = this.chartOf(event);
    const place = chart && placeIn(chart, event);
    if (!place) return;
    // A touch scrolls the page unless it is on the dot; a tap is handled as a click.
    if (event.pointerType !== "mouse" && !isWay && !this.isOnDot(chart, event)) return;
    if (isWay) {
      this.on.move(...place, false);
      return;
    }
    event.preventDefault();
    this.pressed = chart;
    this.on.begin();
    this.on.move(...place, true);
  }

  /** @param {TouchEvent} event */
  touch(event) {
    const [finger, other] = event.touches;
    const chart = this.chartOf(event);
    const { can_move: canMove, is_way: isWay } = this.model;
    if (!chart || other || !canMove || isWay || !this.isOnDot(chart, finger)) return;
    event.preventDefault(); // prevent scrolling
  }

  /** @param {MouseEvent} event */
  click(event) {
    const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
    const { can_move: canMove, is_way: isWay } = this.model;
    if (!isTouch || !canMove || isWay) return;
    const chart = this.chartOf(event);
    const place = chart && placeIn(chart, event);
    if (place) this.on.move(...place, false);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const place = this.pressed && placeIn(this.pressed, event, true);
    if (place) this.on.move(...place, true);
  }

  up() {
    if (this.pressed) this.on.end();
    this.pressed = null;
  }
}
