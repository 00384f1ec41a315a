/** The list of lessons. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame } from "../shared/dom.js";
import { goalsOf } from "../shared/goals.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Listed
 * @property {string} name @property {string} title @property {string} about
 * @property {string[]} goals @property {string[]} facts level and minutes
 * @property {string} source author and license
 * @property {number} steps @property {number} done
 *
 * @typedef {{value: string, lessons: Listed[], problems: string[]}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const list = make("ol", { role: "list" });
  const problems = make("ul", { class: "problems", role: "status" });

  /** @param {Listed} lesson */
  function line({ name, title, about, goals, facts, source, steps, done }) {
    const open = (/** @type {boolean} */ afresh) => model.send_msg({ type: "open", name, afresh });
    const isOpen = name === model.value;
    const verb = isOpen || (done > 0 && done < steps) ? "Continue" : done ? "Open again" : "Start";
    const begin = make(
      "button",
      {
        type: "button",
        class: "button",
        "aria-label": `${verb}: ${title}`,
        onclick: () => open(false),
      },
      verb,
    );
    const anew = make(
      "button",
      {
        type: "button",
        class: "button quiet",
        "aria-label": `Begin anew: ${title}`,
        onclick: () => open(true),
      },
      "Begin anew",
    );
    anew.hidden = done === 0;
    const reached = done ? `${done} of ${steps} steps done` : `${steps} steps`;
    return make(
      "li",
      { "data-lesson-name": name },
      make(
        "div",
        { class: "what" },
        make("b", {}, title),
        about ? make("p", {}, about) : null,
        goalsOf(goals),
        make("p", { class: "facts" }, [...facts, reached].join(" · ")),
        source ? make("p", { class: "facts" }, source) : null,
      ),
      make("div", { class: "buttons" }, begin, anew),
    );
  }

  function show() {
    list.replaceChildren(...model.lessons.map(line));
    problems.replaceChildren(...model.problems.map((problem) => make("li", {}, problem)));
  }

  const later = oncePerFrame(show);
  for (const name of /** @type {const} */ (["value", "lessons", "problems"])) model.on(name, later);
  show();
  const intro =
    "Short lessons on the numbers of this page. Each asks you to predict what comes, and shows it.";
  return asControl(
    model,
    make(
      "section",
      { class: "control lessons", "aria-label": "Lessons" },
      make("h2", {}, "Lessons"),
      make("p", { class: "intro" }, intro),
      list,
      problems,
    ),
  );
}
