/**
 * Trains, pauses, steps, resets and tests the page's model, and shows its accuracy. A timeline goes
 * through the moments of the run, forward and back, and the whole page with it.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Shown
 * @property {"unavailable" | "ready" | "waiting" | "running" | "paused" | "done" | "diverged" |
 *   "trained"} state
 * @property {string} train label of the first button while nothing runs
 * @property {string} test label of the button that counts what comes out right
 * @property {number} step
 * @property {number} steps
 * @property {string} facts a line of numbers beside the progress
 * @property {string} message
 * @property {"good" | "bad" | ""} tone of the message
 * @property {string} reset tooltip of the reset button
 *
 * @typedef {object} Properties
 * @property {Shown | {}} shown
 * @property {number | null} value the step that the page shows; null for the last
 * @property {number[]} moments the steps of the timeline
 * @property {number[]} kept those that can be gone back to
 * @property {string} pace
 * @property {[name: string, label: string][]} paces
 * @property {string} pace_help
 *
 * @typedef {"play" | "pause" | "step" | "reset" | "check"} Press
 */

/** ms between two announcements to a screen reader, which cannot speak ten times a second. */
const SPOKEN_MS = 4000;

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** The index of the last moment up to a step. @param {number[]} moments @param {number} step */
const indexOf = (moments, step) =>
  Math.max(
    0,
    moments.findLastIndex((each) => each <= step),
  );

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  /** @param {string} label @param {string} title @param {() => Press} name @param {string} more */
  const button = (label, title, name, more = "") =>
    make(
      "button",
      {
        type: "button",
        class: `button ${more}`,
        title,
        onclick: () => model.send_msg({ type: "press", name: name() }),
      },
      label,
    );
  let isActive = false;
  const play = button("Train", "", () => (isActive ? "pause" : "play"), "play primary");
  const step = button("Step", "Learn from one batch", () => "step");
  const reset = button("Start from random numbers", "", () => "reset");
  const check = button("", "Translate everything that it never trains on", () => "check");
  const timeline = make("input", {
    id: "training-timeline",
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Timeline",
    title: "Back through the run and forward again; the page shows the model of that step",
    oninput: () => go(timeline.valueAsNumber),
    onchange: () => show(), // what arrived while it was held
  });
  const pace = make("select", {
    id: "training-pace",
    "aria-label": "pace",
    onchange: () => {
      model.pace = pace.value;
    },
  });
  const count = make("span", { class: "count", "data-recorded": "below" });
  const facts = make("span", { class: "facts", "data-recorded": "below" });
  const message = make("span", { class: "message" });
  const spoken = make("span", { class: "visually-hidden", role: "status" });
  let lastSpoken = 0;

  /** Goes to a moment, or to the nearest that is there. @param {number} index */
  function go(index) {
    const { moments, kept } = model;
    const last = kept.at(-1) ?? 0;
    const wanted = moments[index] ?? last;
    const step = kept.findLast((each) => each <= wanted) ?? kept[0];
    model.value = step === undefined || wanted >= last ? null : step;
  }

  function showPaces() {
    const { paces } = model;
    if (pace.options.length !== paces.length)
      pace.replaceChildren(...paces.map(([value, label]) => make("option", { value }, label)));
    pace.value = model.pace;
    setAttribute(pace, "title", model.pace_help || null);
  }

  /** @param {number} at the step of the numbers that are shown @param {number} steps of the run */
  function showTimeline(at, steps) {
    const { moments, kept } = model;
    setAttribute(timeline, "max", Math.max(1, moments.length - 1));
    timeline.disabled = kept.length < 2;
    // Where the reader has put it, also before the page has followed.
    const place = indexOf(moments, model.value ?? at);
    if (!timeline.matches(":active")) timeline.value = String(place);
    const learned = Math.max(at, kept.at(-1) ?? 0);
    const share = indexOf(moments, learned) / Math.max(1, moments.length - 1);
    timeline.style.setProperty("--learned", `${100 * share}%`);
    timeline.dataset.step = String(at);
    timeline.dataset.steps = String(steps);
    setAttribute(timeline, "aria-valuetext", `step ${counted(at)} of ${counted(steps)}`);
  }

  function show() {
    const { shown } = model;
    if (!("state" in shown)) return;
    const { state, step: at, steps } = shown;
    isActive = state === "running" || state === "waiting";
    const isAway = state === "unavailable";
    setText(play, isActive ? "Pause" : shown.train);
    setAttribute(play, "title", isActive ? "Hold; the rest can follow later" : "Train this model");
    play.disabled = isAway;
    // A model that is already trained needs no highlighted Train button.
    play.classList.toggle("primary", !["trained", "done", "unavailable"].includes(state));
    step.disabled = isActive || isAway;
    check.disabled = isActive || isAway;
    setText(check, shown.test);
    reset.disabled = isAway || (state === "ready" && !at);
    setAttribute(reset, "title", shown.reset);
    pace.hidden = isAway;
    timeline.hidden = isAway;
    showPaces();
    showTimeline(at, steps);
    setText(count, isAway ? "" : `step ${counted(at)} of ${counted(steps)}`);
    setText(facts, shown.facts);
    setText(message, shown.message);
    setAttribute(message, "title", shown.message || null);
    message.className = `message ${shown.tone}`;
    if (isActive && performance.now() - lastSpoken <= SPOKEN_MS) return;
    lastSpoken = performance.now();
    setText(spoken, `${count.textContent}. ${shown.facts} ${shown.message}`);
  }

  const later = oncePerFrame(show);
  for (const name of ["shown", "value", "moments", "kept", "pace", "paces"]) model.on(name, later);
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control run", "aria-label": "Training" },
      make("div", { class: "buttons" }, play, pace, step, reset, check),
      make("div", { class: "progress" }, timeline, count),
      make("p", { class: "said", "aria-hidden": "true" }, facts, message),
      spoken,
    ),
  );
}
