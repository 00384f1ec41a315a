import { make, setAttribute, setText } from "../shared/dom.js";

/** Back through the snapshots of a run, and which numbers are drawn below. */
export function render({ model }) {
  const choose = (name, value) => model.send_msg({ type: "choose", name, value });
  const slider = make("input", {
    id: "learn-step",
    type: "range",
    min: 0,
    step: 1,
    oninput: () => choose("step", model.steps[slider.valueAsNumber] ?? null),
  });
  const where = make("output", { for: "learn-step", class: "where" });
  const live = make(
    "button",
    { type: "button", class: "button", onclick: () => choose("step", null) },
    "Live",
  );
  const picker = (id, name, options) =>
    make("select", {
      id,
      onchange: (event) => choose(name, options()[event.target.selectedIndex]),
    });
  const plane = picker("learn-plane", "plane", () => model.planes.map(([name]) => name));
  const parameter = picker("learn-parameter", "parameter", () => model.parameters);

  const fill = (select, labels) => {
    const key = JSON.stringify(labels);
    if (select.dataset.key === key) return;
    select.dataset.key = key;
    select.replaceChildren(...labels.map((label) => make("option", {}, label)));
  };

  function show() {
    const { steps, step, now } = model;
    // The last place of the slider is the present.
    setAttribute(slider, "max", steps.length);
    const at = step === null ? steps.length : steps.indexOf(step);
    if (!slider.matches(":active")) slider.value = String(at);
    const text =
      step === null ? `now, step ${now.toLocaleString("en")}` : `step ${step.toLocaleString("en")}`;
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

  let asked = 0;
  const later = () => {
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(show);
  };
  for (const name of ["steps", "step", "now", "planes", "plane", "parameters", "parameter"])
    model.on(name, later);
  show();
  return make(
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
    make("div", { class: "pick" }, make("label", { for: "learn-parameter" }, "Matrix"), parameter),
  );
}
