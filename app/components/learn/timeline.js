/** Goes back through the snapshots of a run: the whole page shows the model of the chosen step. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {number[]} steps that have a snapshot
 * @property {number | null} value the step that is shown; null for the last
 * @property {number} now
 * @property {boolean} compared whether the page shows the change since step 0
 */

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
    onchange: () => show(), // what arrived while it was held
  });
  const where = make("output", { for: "learn-step", class: "where" });
  const last = make(
    "button",
    { type: "button", class: "button", onclick: () => choose(null) },
    "Last step",
  );
  const compare = make(
    "button",
    {
      type: "button",
      class: "button",
      title: "How far every number has moved since the first step",
      onclick: () => {
        model.compared = !model.compared;
      },
    },
    "Change since step 0",
  );

  function show() {
    const { steps, value: step, now } = model;
    // The slider's last position is the last step.
    setAttribute(slider, "max", steps.length);
    slider.disabled = steps.length < 2;
    compare.disabled = steps.length < 2 && !model.compared;
    last.disabled = step === null;
    const at = step === null ? steps.length : steps.indexOf(step);
    if (!slider.matches(":active")) slider.value = String(at);
    const end = steps.length ? `last, step ${counted(now)}` : "no run on this page yet";
    const text = step === null ? end : `step ${counted(step)}`;
    setText(where, text);
    setAttribute(slider, "aria-valuetext", text);
    setAttribute(compare, "aria-pressed", String(model.compared));
  }

  const later = oncePerFrame(show);
  for (const name of ["steps", "value", "now", "compared"]) model.on(name, later);
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control times", "aria-label": "Steps of the run" },
      make(
        "div",
        { class: "scrub" },
        make("label", { for: "learn-step" }, "Timeline"),
        slider,
        where,
        last,
        compare,
      ),
    ),
  );
}
