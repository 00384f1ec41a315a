/**
 * Takes steps of gradient descent towards the words that should be written, says what the last one
 * did, and takes it back.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { RightWords } from "./right_words.js";

/**
 * @import {Known, RightWord} from "./right_words.js"
 *
 * @typedef {{label: string, value: number, help?: string}} RateField
 *
 * @typedef {{type: "undo" | "write"} | {type: "step", count: number} |
 *   {type: "rate", value: string} |
 *   {type: "word", at: number, word: string}} StepMessage
 *
 * @typedef {object} Taught what the steps are taken towards
 * @property {RightWord[]} right @property {Known} known @property {string} teaches
 * @property {boolean} can_write whether the model can be left to write what it was taught
 */

const HOW =
  "Every weight moves against its gradient, by the learning rate times the gradient. " +
  "The loss is of the words that should be written.";
const MANY = 10; // steps by one press

export class DescentStep {
  /** @param {(message: StepMessage) => void} send */
  constructor(send) {
    this.typed = ""; // the rate that is shown
    const attributes = { type: "button", class: "button descend", title: HOW };
    this.button = make(
      "button",
      { ...attributes, onclick: () => send({ type: "step", count: 1 }) },
      "Take this step",
    );
    this.many = make(
      "button",
      {
        type: "button",
        class: "button",
        title: `${MANY} steps, each along the gradients that the one before it leaves`,
        onclick: () => send({ type: "step", count: MANY }),
      },
      `Take ${MANY}`,
    );
    this.words = new RightWords(
      (at, word) => send({ type: "word", at, word }),
      () => send({ type: "write" }),
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
      this.words.el,
      make("div", { class: "steps" }, this.button, this.many),
      make("label", { class: "rate" }, this.label, this.rate),
      this.problem,
      this.did,
    );
  }

  /**
   * @param {RateField | null} rate none: no step can be taken
   * @param {Taught} taught
   * @param {string[]} stepped what the last step did @param {string} problem
   */
  show(rate, { right, known, teaches, can_write }, stepped, problem) {
    this.el.hidden = rate === null;
    if (!rate) return;
    this.words.show(right, known, teaches, can_write);
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
