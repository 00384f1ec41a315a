/** The place in a landscape: pressed or dragged in the chart, or moved by two sliders. */

import { asControl } from "../../components/shared/control.js";
import { html, noChange, nothing } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { decimalText } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { drawn } from "../../components/shared/template.js";
import { nextPress } from "../kit/press.js";
import { chartNamed, distanceTo, placeIn } from "./chart_press.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {BokehPlot} from "./chart_press.js"
 *
 * @typedef {object} Properties
 * @property {[number, number]} value @property {string} chart @property {[string, string]} names
 * @property {[number, number]} low @property {[number, number]} high
 * @property {[number, number]} least @property {string[]} visited losses of the places visited
 * @property {boolean} is_way @property {boolean} can_move @property {boolean} is_moved
 */

const STEPS = 200; // of a slider
const FINGER = 40; // CSS px around the dot within which a touch drags it

const DOWNHILL = "Goes downhill as training does, but in these two directions only";
const BACK = "Back to the value of the model";
const OF_WAY =
  "The line is the path of the run. Press it, and the page shows the nearest kept step.";
const FIXED = "The dot is the model as it is now.";
const OF_DOT =
  "The dot is the model as it is now, the cross the lowest place. Press or drag in the " +
  "picture (by touch drag the dot), or move a slider.";

/** @param {number} at */
const textOf = (at) => decimalText(Number(at.toFixed(3)));

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const moves = new Paced(model);
  let press = 0;
  let holds = false;

  /** @param {number} x @param {number} y @param {boolean} held */
  const move = (x, y, held) => {
    const [left, low] = model.low;
    const [right, high] = model.high;
    const across = Math.min(right, Math.max(left, x));
    const up = Math.min(high, Math.max(low, y));
    moves.say({ type: "move", index: 0, x: across, y: up, press: held ? press : 0, held });
  };
  const end = () => {
    holds = false;
    moves.end({ type: "release" });
  };

  /** A slider along one of the two directions. @param {0 | 1} k */
  const slider = (k) => {
    const { low, high, names, value, is_way: isWay, can_move: canMove } = model;
    const begin = () => {
      press = nextPress();
      holds = true;
    };
    const slide = (/** @type {Event} */ { currentTarget }) => {
      const to = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      if (k) move(value[0], to, holds);
      else move(to, value[1], holds);
    };
    const release = () => holds && end();
    return html`<div class="way" ?hidden=${isWay}>
      <label for="landscape-${k}">${k ? "up" : "across"}: ${names[k]}</label><input type="range"
        id="landscape-${k}" min=${low[k]} max=${high[k]} step=${(high[k] - low[k]) / STEPS || "any"}
        aria-valuetext=${textOf(value[k])} ?disabled=${!canMove}
        .value=${moves.underWay || holds ? noChange : value[k]} @pointerdown=${begin}
        @input=${slide} @change=${release} @pointerup=${release}><output
        for="landscape-${k}">${textOf(value[k])}</output>
    </div>`;
  };
  const { node, show } = drawn(() => {
    const { is_way: isWay, can_move: canMove, is_moved: isMoved, visited } = model;
    const isFixed = isWay || !canMove;
    /** @param {string} label @param {string} title @param {() => void} press */
    const button = (label, title, press, isOff = false) => html`<button type="button" class="button"
      title=${title || nothing} ?hidden=${isFixed} ?disabled=${isOff}
      @click=${press}>${label}</button>`;
    return html`<div class="control landscape">
      <p class="help">${canMove ? (isWay ? OF_WAY : OF_DOT) : FIXED}</p>
      ${slider(0)}${slider(1)}
      <div class="buttons">
        ${button("One step downhill", DOWNHILL, () => moves.say({ type: "step" }))}
        ${button("To the lowest place", "", () => move(model.least[0], model.least[1], false))}
        ${button("Restore", BACK, () => moves.say({ type: "restore" }), !isMoved)}
      </div>
      <p class="walked" ?hidden=${!visited.length}
        >Your way, by the loss at each place: ${visited.join(" → ")}</p>
    </div>`;
  });

  /** @param {BokehPlot} chart @param {{clientX: number, clientY: number}} at */
  const isOnDot = (chart, at) => distanceTo(chart, model.value, at) <= FINGER;

  // Bokeh draws the chart and reports presses only to its own server, so listen on the document.
  const signal = untilRemoved(model);
  /** @param {Event} event @returns {BokehPlot | null} the chart, if the event is within it */
  const chartOf = (event) => {
    const chart = chartNamed(model.chart);
    return chart?.el && event.composedPath().includes(chart.el) ? chart : null;
  };
  let pressed = /** @type {BokehPlot | null} */ (null);
  /** @param {PointerEvent} event */
  const down = (event) => {
    if (event.button !== 0 || !model.can_move || !node.isConnected) return;
    const chart = chartOf(event);
    const place = chart && placeIn(chart, event);
    if (!place) return;
    // A touch scrolls the page unless it is on the dot; a tap is handled as a click.
    if (event.pointerType !== "mouse" && !model.is_way && !isOnDot(chart, event)) return;
    if (model.is_way) {
      move(...place, false);
      return;
    }
    event.preventDefault();
    pressed = chart;
    press = nextPress();
    move(...place, true);
  };
  /** @param {TouchEvent} event */
  const touch = (event) => {
    const [finger, other] = event.touches;
    const chart = chartOf(event);
    if (!chart || other || !model.can_move || model.is_way || !isOnDot(chart, finger)) return;
    event.preventDefault(); // prevent scrolling
  };
  /** @param {MouseEvent} event */
  const click = (event) => {
    const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
    if (!isTouch || !model.can_move || model.is_way) return;
    const chart = chartOf(event);
    const place = chart && placeIn(chart, event);
    if (place) move(...place, false);
  };
  /** @param {PointerEvent} event */
  const drag = (event) => {
    const place = pressed && placeIn(pressed, event, true);
    if (place) move(...place, true);
  };
  const up = () => {
    if (pressed) end();
    pressed = null;
  };
  const how = { signal, capture: true };
  document.addEventListener("pointerdown", down, how);
  document.addEventListener("touchstart", touch, { ...how, passive: false });
  document.addEventListener("click", click, how);
  document.addEventListener("pointermove", drag, how);
  document.addEventListener("pointerup", up, how);
  document.addEventListener("pointercancel", up, how);
  const names = ["value", "names", "low", "high", "least", "is_way", "can_move", "is_moved"];
  onChange(model, [...names, "visited"], show);
  return asControl(model, node);
}
