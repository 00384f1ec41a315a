/** The place in a landscape: pressed or dragged in the chart, or moved by a slider for each way. */

import { asControl } from "../../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../../shared/dom.js";
import { decimalText } from "../../shared/number_format.js";
import { Paced } from "../paced.js";
import { nextPress } from "../press.js";
import { chartNamed, distanceTo, placeIn } from "./chart_press.js";

/**
 * @import {ControlProperties} from "../../shared/control.js"
 * @import {Model} from "../../shared/model.js"
 * @import {BokehPlot} from "./chart_press.js"
 *
 * @typedef {object} Properties
 * @property {[number, number]} value @property {string} chart @property {[string, string]} names
 * @property {[number, number]} low @property {[number, number]} high
 * @property {[number, number]} least @property {string[]} visited losses of the places visited
 * @property {boolean} is_way @property {boolean} can_move @property {boolean} is_moved
 */

const STEPS = 200; // of a slider
const FINGER = 40; // CSS px from the dot within which a finger takes it

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

  const sliders = [0, 1].map((k) => {
    const input = make("input", {
      type: "range",
      step: "any",
      id: `landscape-${k}`,
      onpointerdown: () => {
        press = nextPress();
        holds = true;
      },
      oninput: () => {
        const [x, y] = model.value;
        if (k) move(x, input.valueAsNumber, holds);
        else move(input.valueAsNumber, y, holds);
      },
      onchange: () => holds && end(),
    });
    const name = make("label", { for: input.id });
    const where = make("output", { for: input.id });
    return { input, name, where, node: make("div", { class: "way" }, name, input, where) };
  });
  const lowest = make(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => move(model.least[0], model.least[1], false),
    },
    "To the lowest place",
  );
  const step = make(
    "button",
    {
      type: "button",
      class: "button",
      title: "Against the slope, as training goes; here over these two alone",
      onclick: () => moves.say({ type: "step" }),
    },
    "One step downhill",
  );
  const restore = make(
    "button",
    {
      type: "button",
      class: "button",
      title: "Back to where the model has it",
      onclick: () => moves.say({ type: "restore" }),
    },
    "Restore",
  );
  const help = make("p", { class: "help" });
  const track = make("p", { class: "walked" });
  const node = make(
    "div",
    { class: "control landscape" },
    help,
    ...sliders.map((slider) => slider.node),
    make("div", { class: "buttons" }, step, lowest, restore),
    track,
  );

  /** @param {BokehPlot} chart @param {{clientX: number, clientY: number}} at */
  const isOnDot = (chart, at) => distanceTo(chart, model.value, at) <= FINGER;

  // Presses of the chart, which Bokeh draws: it has no way to say of them without its own server.
  const listening = new AbortController();
  const { signal } = listening;
  let pressed = /** @type {BokehPlot | null} */ (null);
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0 || !model.can_move || !node.isConnected) return;
      const chart = chartNamed(model.chart);
      if (!chart?.el || !event.composedPath().includes(chart.el)) return;
      const place = placeIn(chart, event);
      if (!place) return;
      // A finger scrolls the page unless it takes the dot, and a tap is a click.
      if (event.pointerType !== "mouse" && !model.is_way && !isOnDot(chart, event)) return;
      if (model.is_way) {
        move(...place, false);
        return;
      }
      event.preventDefault();
      pressed = chart;
      press = nextPress();
      move(...place, true);
    },
    { signal, capture: true },
  );
  document.addEventListener(
    "touchstart",
    (event) => {
      const chart = chartNamed(model.chart);
      if (!chart?.el || !event.composedPath().includes(chart.el)) return;
      const [finger, other] = event.touches;
      if (other || !model.can_move || model.is_way || !isOnDot(chart, finger)) return;
      event.preventDefault(); // the page does not scroll
    },
    { signal, capture: true, passive: false },
  );
  document.addEventListener(
    "click",
    (event) => {
      const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
      if (!isTouch || !model.can_move || model.is_way) return;
      const chart = chartNamed(model.chart);
      if (!chart?.el || !event.composedPath().includes(chart.el)) return;
      const place = placeIn(chart, event);
      if (place) move(...place, false);
    },
    { signal, capture: true },
  );
  document.addEventListener(
    "pointermove",
    (event) => {
      const place = pressed && placeIn(pressed, event, true);
      if (place) move(...place, true);
    },
    { signal, capture: true },
  );
  for (const type of ["pointerup", "pointercancel"])
    document.addEventListener(
      type,
      () => {
        if (pressed) end();
        pressed = null;
      },
      { signal, capture: true },
    );
  model.on("remove", () => listening.abort());

  const show = () => {
    sliders.forEach(({ input, name, where }, k) => {
      const [low, high] = [model.low[k], model.high[k]];
      setAttribute(input, "min", low);
      setAttribute(input, "max", high);
      setAttribute(input, "step", (high - low) / STEPS || "any");
      if (!input.matches(":active")) input.value = String(model.value[k]);
      setText(name, `${k ? "up" : "across"}: ${model.names[k]}`);
      const text = decimalText(Number(model.value[k].toFixed(3)));
      setText(where, text);
      setAttribute(input, "aria-valuetext", text);
      input.disabled = !model.can_move;
    });
    for (const { node: each } of sliders) each.hidden = model.is_way;
    lowest.hidden = model.is_way || !model.can_move;
    step.hidden = model.is_way || !model.can_move;
    restore.hidden = model.is_way || !model.can_move;
    restore.disabled = !model.is_moved;
    track.hidden = !model.visited.length;
    setText(track, `Your way, by the loss at each place: ${model.visited.join(" → ")}`);
    const say = model.is_way
      ? "The line is the way of the run. Press a place: the page shows the kept step nearest to it."
      : "The dot is the model as it is now, the cross the lowest place. Press or drag in the " +
        "picture (by touch drag the dot), or move a slider.";
    setText(help, model.can_move ? say : "The dot is the model as it is now.");
  };
  const later = oncePerFrame(show);
  for (const name of /** @type {const} */ ([
    ...["value", "names", "low", "high", "least", "is_way", "can_move", "is_moved", "visited"],
  ]))
    model.on(name, later);
  show();
  return asControl(model, node);
}
