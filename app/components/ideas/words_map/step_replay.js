/** Goes through the kept steps of a training run, by a slider or by itself. */

import { make, setAttribute, setText } from "../../shared/dom.js";

/** @import {Paced} from "../paced.js" */

const BETWEEN = 140; // ms, at least, between two steps

export class StepReplay {
  /** @param {{steps: number[], step: number}} model @param {Paced} paced */
  constructor(model, paced) {
    this.model = model;
    this.paced = paced;
    this.timer = 0;
    this.slider = make("input", {
      id: "idea-step",
      type: "range",
      min: 0,
      step: 1,
      oninput: () => {
        this.stop();
        this.go(this.slider.valueAsNumber);
      },
    });
    this.where = make("output", { for: "idea-step" });
    this.play = make(
      "button",
      { type: "button", class: "button", onclick: () => (this.timer ? this.stop() : this.begin()) },
      "Replay",
    );
    this.node = make(
      "div",
      { class: "replay" },
      make("label", { for: "idea-step", class: "of-slider" }, "while it learned"),
      this.slider,
      make("div", { class: "replay-line" }, this.where, this.play),
    );
  }

  /** @param {number} at index of the step; beyond the last one is the present */
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
    setText(this.play, "Stop");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    setText(this.play, "Replay");
  }

  show() {
    const { steps, step } = this.model;
    this.node.hidden = steps.length < 2;
    if (this.node.hidden) return;
    const at = steps.indexOf(step);
    setAttribute(this.slider, "max", steps.length);
    const place = at < 0 ? steps.length : at;
    if (!this.slider.matches(":active")) this.slider.value = String(place);
    const text = `step ${step.toLocaleString("en")}${at < 0 ? ", the last" : ""}`;
    setText(this.where, text);
    setAttribute(this.slider, "aria-valuetext", text);
  }
}
