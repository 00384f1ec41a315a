/**
 * Shows what it takes to pull a prediction: which numbers may move, the outcome, and whether to
 * keep it.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {string} value the chosen set of numbers that may move
 * @property {boolean} few
 * @property {[string, string][]} options
 * @property {{wish?: string, cost?: string, tone?: "busy" | "granted" | "refused"}} shown
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const wish = make("strong", { class: "pull-wish" });
  const cost = make("span", { class: "pull-cost", role: "status" });
  const free = make("select", {
    id: "pull-free",
    onchange: () => {
      model.value = model.options[free.selectedIndex][0];
    },
  });
  const few = make("input", {
    id: "pull-few",
    type: "checkbox",
    onchange: () => {
      model.few = few.checked;
    },
  });
  /** @param {string} name @param {string} label @param {string} title */
  const button = (name, label, title) =>
    make(
      "button",
      {
        type: "button",
        class: "button",
        title,
        onclick: () => model.send_msg({ type: "press", name }),
      },
      label,
    );
  const node = make(
    "section",
    { class: "control pull-line", "aria-label": "What is pulled" },
    wish,
    make("label", { for: "pull-free" }, "by moving"),
    free,
    make(
      "label",
      { class: "pull-few", title: "Few numbers far instead of many a little" },
      few,
      "few",
    ),
    cost,
    button("keep", "Keep", "The moved numbers stay, as edits; undo takes them back"),
    button("back", "Spring back", "Every number is as it was before"),
  );

  function show() {
    const { shown, options } = model;
    setText(wish, shown.wish ?? "");
    setText(cost, shown.cost ?? "");
    node.dataset.tone = shown.tone ?? "busy";
    const labels = options.map(([, label]) => label);
    const there = [...free.options].map(({ text }) => text);
    if (labels.length !== there.length || labels.some((label, at) => label !== there[at]))
      free.replaceChildren(...labels.map((label) => make("option", {}, label)));
    free.selectedIndex = options.findIndex(([name]) => name === model.value);
    few.checked = model.few;
  }

  const later = oncePerFrame(show);
  for (const name of /** @type {const} */ (["value", "few", "options", "shown"]))
    model.on(name, later);
  show();
  return asControl(model, node);
}
