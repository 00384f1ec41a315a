/** The list of lessons, and below it that of dares. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { goalsOf } from "../shared/goals.js";
import { ownBest } from "../shared/own_best.js";
import { drawn } from "./picture.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {Picture} from "./picture.js"
 *
 * @typedef {object} Listed
 * @property {string} name @property {string} title @property {string} about
 * @property {string[]} goals @property {string[]} facts level and minutes
 * @property {string} source author and license
 * @property {number} steps @property {number} done
 *
 * @typedef {object} ListedDare
 * @property {string} name @property {string} title @property {string} about
 * @property {string} best the best known measure, in words
 *
 * @typedef {{value: string, lessons: Listed[], dares: ListedDare[], problems: string[],
 *   pictures: Record<string, Picture>}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const list = make("ol", { role: "list" });
  const problems = make("ul", { class: "problems", role: "status" });

  const origin = make("p", { class: "facts" });

  /** Its place is kept until it is there. @param {string} name */
  function pictureOf(name) {
    const picture = model.pictures[name];
    return make("div", { class: "still", "aria-hidden": "true" }, picture ? drawn(picture) : null);
  }

  /** @param {Listed} lesson @param {number} at @param {string} usual author and license of most */
  function line({ name, title, about, goals, facts, source, steps, done }, at, usual) {
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
      pictureOf(name),
      make(
        "div",
        { class: "what" },
        make("b", {}, make("span", { class: "count", "aria-hidden": "true" }, `${at + 1}`), title),
        about ? make("p", {}, about) : null,
        make("p", { class: "facts" }, [...facts, reached].join(" · ")),
        goalsOf(goals, learned(goals)),
        source && source !== usual ? make("p", { class: "facts" }, source) : null,
      ),
      make("div", { class: "buttons" }, begin, anew),
    );
  }

  /** @param {ListedDare} dare */
  function dareLine({ name, title, about, best }) {
    const isOpen = name === model.value;
    const own = ownBest(name);
    const facts = [`best known ${best}`, own ? `your best ${own.said}` : "not done yet"];
    return make(
      "li",
      { "data-dare-name": name },
      pictureOf(name),
      make(
        "div",
        { class: "what" },
        make("b", {}, title),
        about ? make("p", {}, about) : null,
        make("p", { class: "facts" }, facts.join(" · ")),
      ),
      make(
        "div",
        { class: "buttons" },
        make(
          "button",
          {
            type: "button",
            class: "button",
            "aria-label": `${isOpen ? "Go on" : "Try it"}: ${title}`,
            onclick: () => model.send_msg({ type: "open", name, dare: true }),
          },
          isOpen ? "Go on" : "Try it",
        ),
      ),
    );
  }

  function show() {
    const usual = model.lessons[0]?.source ?? "";
    const isOfAll = model.lessons.every(({ source }) => !source || source === usual);
    list.replaceChildren(...model.lessons.map((lesson, at) => line(lesson, at, usual)));
    dares.replaceChildren(...model.dares.map(dareLine));
    dared.hidden = model.dares.length === 0;
    setText(origin, usual && `${isOfAll ? "Lessons" : "The other lessons:"} ${usual}`);
    problems.replaceChildren(...model.problems.map((problem) => make("li", {}, problem)));
  }

  const later = oncePerFrame(show);
  for (const name of /** @type {const} */ (["value", "lessons", "dares", "pictures", "problems"]))
    model.on(name, later);
  const intro =
    "Short lessons on the numbers of this page. Each asks you to predict what comes, and shows it.";
  const dare =
    "Something to bring about by changing the model. The score is computed from what is on the " +
    "page; a link passes your attempt on, to be beaten.";
  const dares = make("ol", { role: "list" });
  const dared = make(
    "section",
    { class: "dares", "aria-label": "Dares" },
    make("h2", {}, "Dares"),
    make("p", { class: "intro" }, dare),
    dares,
  );
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control lessons", "aria-label": "Lessons" },
      make("h2", {}, "Lessons"),
      make("p", { class: "intro" }, intro),
      list,
      origin,
      dared,
      problems,
    ),
  );
}

/**
 * What is learned, in a line.
 * @param {string[]} goals a sentence each, as “Read off what a head looks for.”
 */
function learned([first = ""]) {
  const said = `${first.charAt(0).toLowerCase()}${first.slice(1)}`.replace(/[.]$/, "");
  return `Learn to ${said}`;
}
