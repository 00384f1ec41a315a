/**
 * Trains, pauses, steps, resets and tests the page's model, and shows its accuracy. A timeline
 * moves the whole page back and forth through the steps of the run.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { Paced } from "../../components/shared/paced.js";
import { classes, drawn } from "../../components/shared/template.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 *
 * @typedef {object} TrainingLine
 * @property {"unavailable" | "ready" | "waiting" | "running" | "paused" | "done" | "diverged" |
 *   "trained"} state
 * @property {string} train label of the first button while no run is active
 * @property {string} test label of the button that counts correct outputs
 * @property {number} step
 * @property {number} steps
 * @property {string} facts a line of numbers next to the progress
 * @property {string} message
 * @property {"good" | "bad" | ""} tone of the message
 * @property {string} step_help tooltip of the button for one step
 * @property {string} reset tooltip of the reset button
 *
 * @typedef {object} Properties
 * @property {TrainingLine | {}} shown
 * @property {number[]} kept the steps that can be gone back to
 * @property {string} pace
 * @property {[name: string, label: string][]} paces
 * @property {string} pace_help
 *
 * @typedef {"play" | "pause" | "step" | "reset" | "check"} Press
 */

/** ms between two announcements; a screen reader cannot read ten messages a second. */
const SPOKEN_MS = 4000;

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** @param {number} at @param {number} steps */
const stepText = (at, steps) => `step ${counted(at)} of ${counted(steps)}`;

/** The line before the first data from Python. @type {TrainingLine} */
const NONE = {
  ...{ state: "ready", train: "Train", test: "", step: 0, steps: 0, facts: "", message: "" },
  ...{ tone: "", step_help: "", reset: "" },
};

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const paced = new Paced(model, 1);
  let [spoken, lastSpoken] = ["", 0];

  /**
   * Goes to the kept step before the wanted one, but forward at least to the next one, so that no
   * key is in vain.
   * @param {number} wanted
   */
  function go(wanted) {
    const { kept } = model;
    const at = Number(timeline.dataset.step);
    const next = wanted > at ? kept.find((each) => each > at) : kept[0];
    const step = Math.max(kept.findLast((each) => each <= wanted) ?? 0, next ?? 0);
    paced.say({ type: "step", step: step >= (kept.at(-1) ?? 0) ? null : step });
    paced.settled(show);
  }

  /**
   * @param {number} at the shown step @param {number} steps of the run
   * @param {boolean} isAway
   */
  function timelineOf(at, steps, isAway) {
    const { kept } = model;
    const last = Math.max(1, steps);
    const share = Math.max(at, kept.at(-1) ?? 0) / last;
    // What arrives while it is held is shown when it is let go.
    return html`<input id="training-timeline" type="range" min="0" step="1" max=${last}
      aria-label="Timeline" aria-valuetext=${stepText(at, steps)} data-step=${at}
      data-steps=${steps} style="--learned: ${100 * share}%" ?disabled=${kept.length < 2}
      title="Back through the run and forward again; the page shows the model of that step"
      ?hidden=${isAway} @input=${() => go(timeline.valueAsNumber)} @change=${() => show()}>`;
  }

  /** @param {Press} name */
  const press = (name) => () => model.send_msg({ type: "press", name });

  const { node, show: draw } = drawn(() => {
    const { paces, pace_help: help } = model;
    const shown = "state" in model.shown ? model.shown : NONE;
    const { state, step: at, steps, facts, message, tone } = shown;
    const isActive = state === "running" || state === "waiting";
    const isAway = state === "unavailable";
    // A model that is already trained needs no highlighted Train button.
    const isFirst = !["trained", "done", "unavailable"].includes(state);
    const change = (/** @type {Event} */ { currentTarget }) => {
      model.pace = /** @type {HTMLSelectElement} */ (currentTarget).value;
    };
    return html`<section class="control run" data-part="learning"
      aria-label="Training">
      <div class="buttons">
        <button type="button" class=${classes("button play", isFirst && "primary")}
          title=${isActive ? "Stop for now; Continue goes on from here" : "Train this model"}
          ?disabled=${isAway} @click=${press(isActive ? "pause" : "play")}
          >${isActive ? "Pause" : shown.train}</button>
        <select id="training-pace" aria-label="pace" title=${help || nothing} ?hidden=${isAway}
          @change=${change}>${paces.map(
            ([value, label]) => html`<option value=${value}>${label}</option>`,
          )}</select>
        <button type="button" class="button" title=${shown.step_help}
          ?disabled=${isActive || isAway} @click=${press("step")}>Step</button>
        <button type="button" class="button" title=${shown.reset}
          ?disabled=${isAway || (state === "ready" && !at)} @click=${press("reset")}
          >Start from random numbers</button>
        <button type="button" class="button" title="Count how many unseen texts come out right"
          ?disabled=${isActive || isAway} @click=${press("check")}>${shown.test}</button>
      </div>
      <div class="progress">${timelineOf(at, steps, isAway)}<span class="count"
        data-recorded="below">${isAway ? "" : stepText(at, steps)}</span></div>
      <p class="said" aria-hidden="true"><span class="facts" data-recorded="below">${facts}</span
        ><span class="message ${tone}" title=${message || nothing}>${message}</span></p>
      <span class="visually-hidden" role="status">${spoken}</span>
    </section>`;
  });

  function show() {
    const { shown } = model;
    if (!("state" in shown)) return;
    const { state, step: at, steps } = shown;
    const isActive = state === "running" || state === "waiting";
    if (!isActive || performance.now() - lastSpoken > SPOKEN_MS) {
      lastSpoken = performance.now();
      const count = state === "unavailable" ? "" : stepText(at, steps);
      spoken = `${count}. ${shown.facts} ${shown.message}`;
    }
    draw();
    pace.value = model.pace;
    // Where the reader has put it until the page has followed.
    if (!paced.underWay && !timeline.matches(":active")) timeline.value = String(at);
  }

  const pace = /** @type {HTMLSelectElement} */ (node.querySelector("select"));
  const timeline = /** @type {HTMLInputElement} */ (node.querySelector("#training-timeline"));
  onChange(model, ["shown", "kept", "pace", "paces"], show);
  show();
  return asControl(model, node);
}
