/**
 * Takes steps of gradient descent toward the target words, reports the effect of the last step,
 * and undoes it.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { FromTemplate } from "../../components/shared/template.js";
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
 * @typedef {object} Taught the goal of the steps
 * @property {RightWord[]} right @property {Known} known @property {string} teaches
 * @property {boolean} can_write whether the user can now let the model write the target words
 */

const HOW =
  "Every weight moves against its gradient, by the learning rate times the gradient. " +
  "The loss compares with the words that should be written.";
const MANY = 10; // steps by one press

export class DescentStep extends FromTemplate {
  /** @param {(message: StepMessage) => void} send */
  constructor(send) {
    super();
    this.typed = ""; // the shown learning rate
    this.send = send;
    this.words = new RightWords(
      (at, word) => send({ type: "word", at, word }),
      () => send({ type: "write" }),
    );
    this.shown = { label: "", help: "", loss: "", word: "", problem: "" };
    this.rate = /** @type {HTMLInputElement} */ (this.node.querySelector(".rate input"));
  }

  template() {
    const { label, help, loss, word, problem } = this.shown;
    const change = () => this.send({ type: "rate", value: this.rate.value });
    /** @param {StepMessage} message */
    const press = (message) => () => this.send(message);
    return html`<div class="descent">
      ${this.words.el}
      <div class="steps">
        <button type="button" class="button descend" title=${HOW}
          @click=${press({ type: "step", count: 1 })}>Take this step</button>
        <button type="button" class="button"
          title="${MANY} steps, each with the gradients after the step before"
          @click=${press({ type: "step", count: MANY })}>Take ${MANY}</button>
      </div>
      <label class="rate"><span>${label}</span><input type="text" inputmode="decimal"
        autocomplete="off" title=${help || nothing} aria-invalid=${problem ? "true" : nothing}
        @change=${change}></label>
      <p class="problem" role="status">${problem}</p>
      <p class="descended" role="status" ?hidden=${!loss}><strong>${loss}</strong
        ><span>${word}</span><button type="button" class="undo"
        @click=${press({ type: "undo" })}>Undo</button></p>
    </div>`;
  }

  /**
   * @param {RateField | null} rate null: no step can be taken
   * @param {Taught} taught
   * @param {string[]} stepped the effect of the last step @param {string} problem
   */
  show(rate, { right, known, teaches, can_write }, stepped, problem) {
    this.node.hidden = rate === null;
    if (!rate) return;
    this.words.show({ right, known, said: teaches, canWrite: can_write });
    const typed = String(rate.value);
    // Keep invalid input, so that it can be corrected.
    if (typed !== this.typed || !problem) this.rate.value = typed;
    this.typed = typed;
    const [loss = "", word = ""] = stepped;
    this.shown = { label: rate.label, help: rate.help ?? "", loss, word, problem };
    this.draw();
  }
}
