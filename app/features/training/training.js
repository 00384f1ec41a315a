/**
 * Trains, pauses, steps, resets and tests the page's model, and shows its accuracy. A timeline
 * moves the whole page back and forth through the steps of the run.
 */

import { asControl } from "../../components/shared/control.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { counted } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { classes, FromTemplate, optionsOf } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {object} TrainingLine see training.py
 * @property {"unavailable" | "ready" | "waiting" | "running" | "paused" | "done" | "diverged" |
 *   "trained"} state
 * @property {string} train @property {string} test @property {number} step @property {number} steps
 * @property {string} facts @property {string} message @property {"good" | "bad" | ""} tone
 * @property {string} step_help @property {string} reset
 *
 * @typedef {object} Properties
 * @property {TrainingLine | {}} shown @property {number[]} kept @property {string} pace
 * @property {[name: string, label: string][]} paces @property {string} pace_help
 *
 * @typedef {"play" | "pause" | "step" | "reset" | "check"} Press
 */

/** Least time between two announcements, in ms: a screen reader is slower than the messages. */
const SPOKEN_MS = 4000;

/** @param {number} at @param {number} steps */
const stepText = (at, steps) => `step ${counted(at)} of ${counted(steps)}`;

/** @param {TrainingLine["state"]} state */
const isRunning = (state) => state === "running" || state === "waiting";

/** The line before the first data from Python. @type {TrainingLine} */
const NONE = {
  ...{ state: "ready", train: "Train", test: "", step: 0, steps: 0, facts: "", message: "" },
  ...{ tone: "", step_help: "", reset: "" },
};

/** @param {Component<Properties>} component */
export function render({ model }) {
  const training = new Training(model);
  const show = () => training.show();
  onChange(model, ["shown", "kept", "pace", "paces"], show);
  show();
  return asControl(model, training.node);
}

class Training extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.paced = new Paced(model, 1);
    this.spoken = "";
    this.lastSpoken = 0;
    const { node } = this;
    this.pace = /** @type {HTMLSelectElement} */ (node.querySelector("select"));
    this.timeline = /** @type {HTMLInputElement} */ (node.querySelector("#training-timeline"));
  }

  template() {
    const shown = "state" in this.model.shown ? this.model.shown : NONE;
    const { state, step: at, steps, facts, message, tone } = shown;
    const isAway = state === "unavailable";
    return html`<section class="control run" data-part="learning"
      aria-label="Training">
      <div class="buttons">${this.buttons(shown)}</div>
      <div class="progress">${this.timelineOf(at, steps, isAway)}<span class="count"
        data-recorded="below" ?hidden=${isAway}>step ${counted(at)} <span>of ${counted(
          steps,
        )}</span></span></div>
      <p class="said" aria-hidden="true" title=${`${facts} ${message}`.trim() || nothing}><span
        class="facts" data-recorded="below">${facts}</span> <span
        class="message ${tone}">${message}</span></p>
      <span class="visually-hidden" role="status">${this.spoken}</span>
    </section>`;
  }

  /** @param {TrainingLine} shown */
  buttons({ state, step: at, train, test, step_help: stepHelp, reset }) {
    const { paces, pace_help: help } = this.model;
    const isActive = isRunning(state);
    const isAway = state === "unavailable";
    // A model that is already trained needs no highlighted Train button.
    const isFirst = !["trained", "done", "unavailable"].includes(state);
    /** @param {Press} name */
    const press = (name) => () => this.model.send_msg({ type: "press", name });
    const change = (/** @type {Event} */ { currentTarget }) => {
      this.model.pace = /** @type {HTMLSelectElement} */ (currentTarget).value;
    };
    return html`<button type="button" class=${classes("button play", isFirst && "primary")}
          title=${isActive ? "Stop for now; Continue goes on from here" : "Train this model"}
          ?disabled=${isAway} @click=${press(isActive ? "pause" : "play")}
          >${isActive ? "Pause" : train}</button>
        <select id="training-pace" aria-label="pace" title=${help || nothing} ?hidden=${isAway}
          @change=${change}>${optionsOf(paces)}</select>
        <button type="button" class="button" title=${stepHelp}
          ?disabled=${isActive || isAway} @click=${press("step")}>Step</button>
        <button type="button" class="button" title=${reset}
          ?disabled=${isAway || (state === "ready" && !at)} @click=${press("reset")}
          >Start from random numbers</button>
        <button type="button" class="button" title="Count how many unseen texts come out right"
          ?disabled=${isActive || isAway} @click=${press("check")}>${test}</button>`;
  }

  /** @param {number} at the shown step @param {number} steps of the run @param {boolean} isAway */
  timelineOf(at, steps, isAway) {
    const { kept } = this.model;
    const last = Math.max(1, steps);
    const share = Math.max(at, kept.at(-1) ?? 0) / last;
    // Steps that arrive during a drag of the timeline are shown after the drag.
    return html`<input id="training-timeline" type="range" min="0" step="1" max=${last}
      aria-label="Timeline" aria-valuetext=${stepText(at, steps)} data-step=${at}
      data-steps=${steps} style="--learned: ${100 * share}%" ?disabled=${kept.length < 2}
      title="Back through the run and forward again; the page shows the model of that step"
      ?hidden=${isAway} @input=${() => this.go(this.timeline.valueAsNumber)}
      @change=${() => this.show()}>`;
  }

  /**
   * Goes to the last kept step up to the wanted step. A move forward goes at least to the next kept
   * step, so that each key press has an effect.
   * @param {number} wanted
   */
  go(wanted) {
    const { kept } = this.model;
    const at = Number(this.timeline.dataset.step);
    const next = wanted > at ? kept.find((each) => each > at) : kept[0];
    const step = Math.max(kept.findLast((each) => each <= wanted) ?? 0, next ?? 0);
    this.paced.say({ type: "step", step: step >= (kept.at(-1) ?? 0) ? null : step });
    this.paced.settled(() => this.show());
  }

  show() {
    const { shown } = this.model;
    if (!("state" in shown)) return;
    const { state, step: at, steps } = shown;
    if (!isRunning(state) || performance.now() - this.lastSpoken > SPOKEN_MS) {
      this.lastSpoken = performance.now();
      const count = state === "unavailable" ? "" : stepText(at, steps);
      this.spoken = `${count}. ${shown.facts} ${shown.message}`;
    }
    this.draw();
    this.pace.value = this.model.pace;
    // The timeline stays at the chosen step until the page shows that step.
    if (!this.paced.underWay && !this.timeline.matches(":active")) this.timeline.value = String(at);
  }
}
