/** Takes a step of gradient descent, says what the last one did, and takes it back. */

import { make, setAttribute, setText } from "../shared/dom.js";

/**
 * @typedef {{label: string, value: number, help?: string}} RateField
 *
 * @typedef {{type: "step"} | {type: "undo"} | {type: "rate", value: string}} StepMessage
 */

const HOW =
  "Every weight moves against its gradient, by the learning rate times the gradient. " +
  "The loss is of the target sentence above: write another one, and it learns that.";

export class DescentStep {
  /** @param {(message: StepMessage) => void} send */
  constructor(send) {
    this.typed = ""; // the rate that is shown
    const attributes = { type: "button", class: "button descend", title: HOW };
    this.button = make(
      "button",
      { ...attributes, onclick: () => send({ type: "step" }) },
      "Take this step",
    );
    this.rate = make("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      onchange: () => send({ type: "rate", value: this.rate.value }),
    });
    this.label = make("span");
    this.problem = make("p", { class: "problem", role: "status" });
    this.loss = make("strong");
    this.word = make("span");
    const undo = () => send({ type: "undo" });
    this.did = make(
      "p",
      { class: "descended", role: "status" },
      this.loss,
      this.word,
      make("button", { type: "button", class: "undo", onclick: undo }, "Undo"),
    );
    this.el = make(
      "div",
      { class: "descent" },
      this.button,
      make("label", { class: "rate" }, this.label, this.rate),
      this.problem,
      this.did,
    );
  }

  /**
   * @param {RateField | null} rate none: no step can be taken
   * @param {string[]} stepped what the last step did @param {string} problem
   */
  show(rate, stepped, problem) {
    this.el.hidden = rate === null;
    if (!rate) return;
    const typed = String(rate.value);
    // What is not allowed stays, to be mended.
    if (typed !== this.typed || !problem) this.rate.value = typed;
    this.typed = typed;
    setText(this.label, rate.label);
    setAttribute(this.rate, "title", rate.help ?? null);
    setAttribute(this.rate, "aria-invalid", problem ? "true" : null);
    setText(this.problem, problem);
    const [loss = "", word = ""] = stepped;
    this.did.hidden = !loss;
    setText(this.loss, loss);
    setText(this.word, word);
  }
}
