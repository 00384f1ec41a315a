/**
 * Trains, pauses, steps, resets and tests the page's model, and shows its progress and accuracy.
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
 * @typedef {"play" | "pause" | "step" | "reset" | "check"} Press
 */

/** ms between two announcements to a screen reader, which cannot speak ten times a second. */
const SPOKEN_MS = 4000;

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** @param {{model: Model<{shown: Shown | {}} & ControlProperties>}} component */
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
  const play = button("Train", "", () => (isActive ? "pause" : "play"), "primary");
  const step = button("Step", "Learn from one batch", () => "step");
  const reset = button("Start from random numbers", "", () => "reset");
  const check = button("", "Translate everything that it never trains on", () => "check");
  const fill = make("div", { class: "fill" });
  const bar = make(
    "div",
    { class: "bar", role: "progressbar", "aria-label": "Steps of training", "aria-valuemin": 0 },
    fill,
  );
  const count = make("span", { class: "count" });
  const facts = make("span", { class: "facts" });
  const message = make("span", { class: "message" });
  const spoken = make("span", { class: "visually-hidden", role: "status" });
  let lastSpoken = 0;

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
    bar.hidden = isAway;
    setAttribute(bar, "aria-valuemax", steps);
    setAttribute(bar, "aria-valuenow", at);
    fill.style.width = `${(100 * at) / steps}%`;
    setText(count, isAway ? "" : `step ${counted(at)} of ${counted(steps)}`);
    setText(facts, shown.facts);
    setText(message, shown.message);
    setAttribute(message, "title", shown.message || null);
    message.className = `message ${shown.tone}`;
    if (isActive && performance.now() - lastSpoken <= SPOKEN_MS) return;
    lastSpoken = performance.now();
    setText(spoken, `${count.textContent}. ${shown.facts} ${shown.message}`);
  }

  model.on("shown", oncePerFrame(show));
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control run", "aria-label": "Training" },
      make("div", { class: "buttons" }, play, step, reset, check),
      make("div", { class: "progress" }, bar, count),
      make("p", { class: "said", "aria-hidden": "true" }, facts, message),
      spoken,
    ),
  );
}
