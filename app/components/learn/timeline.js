/** Back through the snapshots of a run, and which numbers are drawn below. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {number[]} steps that can be gone back to
 * @property {number | null} value the step that is shown; null: now
 * @property {number} now
 * @property {[name: string, label: string][]} planes
 * @property {string} plane
 * @property {string[]} parameters
 * @property {string} parameter
 */

const PROPERTIES = ["steps", "value", "now", "planes", "plane", "parameters", "parameter"];

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  /** @param {number | null} step */
  const choose = (step) => {
    model.value = step;
  };
  const slider = make("input", {
    id: "learn-step",
    type: "range",
    min: 0,
    step: 1,
    oninput: () => choose(model.steps[slider.valueAsNumber] ?? null),
  });
  const where = make("output", { for: "learn-step", class: "where" });
  const live = make(
    "button",
    { type: "button", class: "button", onclick: () => choose(null) },
    "Live",
  );
  const plane = make("select", {
    id: "learn-plane",
    onchange: () => {
      model.plane = model.planes[plane.selectedIndex][0];
    },
  });
  const parameter = make("select", {
    id: "learn-parameter",
    onchange: () => {
      model.parameter = model.parameters[parameter.selectedIndex];
    },
  });

  /** @param {HTMLSelectElement} select @param {string[]} labels */
  const fill = (select, labels) => {
    const key = JSON.stringify(labels);
    if (select.dataset.key === key) return;
    select.dataset.key = key;
    select.replaceChildren(...labels.map((label) => make("option", {}, label)));
  };

  function show() {
    const { steps, value: step, now } = model;
    // The last place of the slider is the present.
    setAttribute(slider, "max", steps.length);
    const at = step === null ? steps.length : steps.indexOf(step);
    if (!slider.matches(":active")) slider.value = String(at);
    const text = step === null ? `now, step ${counted(now)}` : `step ${counted(step)}`;
    setText(where, text);
    setAttribute(slider, "aria-valuetext", text);
    setAttribute(live, "aria-pressed", String(step === null));
    fill(
      plane,
      model.planes.map(([, label]) => label),
    );
    plane.selectedIndex = model.planes.findIndex(([name]) => name === model.plane);
    fill(parameter, model.parameters);
    parameter.selectedIndex = model.parameters.indexOf(model.parameter);
  }

  const later = oncePerFrame(show);
  for (const name of PROPERTIES) model.on(name, later);
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control times", "aria-label": "What is drawn" },
      make(
        "div",
        { class: "scrub" },
        make("label", { for: "learn-step" }, "Timeline"),
        slider,
        where,
        live,
      ),
      make("div", { class: "pick" }, make("label", { for: "learn-plane" }, "Numbers"), plane),
      make(
        "div",
        { class: "pick" },
        make("label", { for: "learn-parameter" }, "Matrix"),
        parameter,
      ),
    ),
  );
}
