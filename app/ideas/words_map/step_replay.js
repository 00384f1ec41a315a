/** Replays the kept steps of a training run, with a slider or automatically. */

import { html } from "../../components/shared/lit-html.js";
import { FromTemplate } from "../../components/shared/template.js";

/** @import {Paced} from "../../components/shared/paced.js" */

const BETWEEN = 140; // ms, the least time between two steps

export class StepReplay extends FromTemplate {
  /** @param {{steps: number[], step: number}} model @param {Paced} paced */
  constructor(model, paced) {
    super();
    this.model = model;
    this.paced = paced;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (this.node.querySelector("input"));
  }

  template() {
    const scrub = () => {
      this.stop();
      this.go(this.slider.valueAsNumber);
    };
    return html`<div class="replay" ?hidden=${this.model.steps.length < 2}>
      <label for="idea-step" class="of-slider">while it learned</label>
      <input id="idea-step" type="range" min="0" max=${this.model.steps.length} step="1"
        aria-valuetext=${this.text} @input=${scrub}>
      <div class="replay-line">
        <output for="idea-step">${this.text}</output>
        <button type="button" class="button"
          @click=${() => (this.timer ? this.stop() : this.begin())}
          >${this.timer ? "Stop" : "Replay"}</button>
      </div>
    </div>`;
  }

  get text() {
    const { steps, step } = this.model;
    return `step ${step.toLocaleString("en")}${steps.includes(step) ? "" : ", the last"}`;
  }

  /** @param {number} at index of the step; after the last: the current model */
  go(at) {
    this.paced.say({ type: "step", step: this.model.steps[at] ?? null });
  }

  begin() {
    let at = 0;
    const next = () => {
      if (!this.node.isConnected || at > this.model.steps.length) {
        this.stop();
        return;
      }
      this.go(at);
      at += 1;
    };
    this.timer = setInterval(next, BETWEEN);
    next();
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.draw();
  }

  show() {
    const { steps, step } = this.model;
    this.draw();
    const at = steps.indexOf(step);
    if (!this.paced.underWay && !this.slider.matches(":active"))
      this.slider.value = String(at < 0 ? steps.length : at);
  }
}
