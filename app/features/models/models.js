/** Shows the button that names the current model, and the dialog for choosing a model. */

import { asControl } from "../../components/shared/control.js";
import { drawnDialog, lineOf, Outcome } from "../../components/shared/dialog.js";
import { acceptDrops } from "../../components/shared/drops.js";
import { Questions } from "../../components/shared/files.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { FromTemplate } from "../../components/shared/template.js";
import { ModelUpload } from "../../components/shared/upload.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {{name: string, label: string, about: string, is_rare?: boolean}} Entry
 *
 * @typedef {object} Properties see models.py
 * @property {Entry[]} models @property {string} value @property {string} shown
 * @property {number} limit
 */

const FILES = "Open a saved page, a .safetensors or .pt model, or your own text.";
const MORE_FILES =
  "Also all files of a model’s folder at once, or its vocabulary. Or drop them on the page.";
/** The extensions of files that are not models. */
const OTHERS = [".csv", ".tsv", ".jsonl"];

const AFRESH = "Resets model, words, settings, numbers and views. Undo brings them back.";

/** @param {Component<Properties>} component */
export function render({ model }) {
  const models = new Models(model);
  const dropped = (/** @type {File[]} */ files) => {
    if (!model.disabled) models.take(files);
  };
  const signal = untilRemoved(model);
  acceptDrops(document.documentElement, dropped, signal);
  // Other dialogs pass on the files that they do not open themselves.
  document.addEventListener("tinkerformer:files", ({ detail }) => dropped(detail), { signal });
  onChange(model, ["models", "value", "shown"], () => models.show());
  return asControl(model, models.node);
}

class Models extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.questions = new Questions(model);
    this.outcome = new Outcome(true);
    // Close without a message after opening a model: the user wants to see the model.
    const close = () => this.dialog.close();
    this.upload = new ModelUpload(model, this.questions, this.outcome, close, OTHERS);
    const { dialog, show } = drawnDialog("models-title", () => ({
      title: "Model",
      body: this.body(),
      foot: this.outcome.node,
    }));
    this.dialog = dialog;
    this.showDialog = show;
    dialog.addEventListener("close", () => this.upload.forget());
  }

  template() {
    const { models, value, shown } = this.model;
    const current = models.find(({ name }) => name === (shown || value));
    return html`<div class="control"><button type="button" class="button opener"
      aria-haspopup="dialog" @click=${() => this.open()}><span
      class="visually-hidden">Model: </span><span
      class="current">${current?.label}</span><span
      aria-hidden="true">▾</span></button>${this.dialog}</div>`;
  }

  body() {
    const { models } = this.model;
    const entries = (/** @type {Entry[]} */ some) => some.map((each) => this.entry(each));
    const startAfresh = (/** @type {Event} */ { currentTarget }) =>
      this.run(currentTarget, () => this.questions.ask({ type: "afresh" }, false));
    return html`<section class="files">${lineOf(FILES, this.upload.choose)}<p
      class="what">${MORE_FILES}</p>${this.upload.ask}${this.upload.input}
      </section>
      <div class="entries">${entries(models.filter((each) => !each.is_rare))}</div>
      <details><summary>More models</summary>
        <div class="entries">${entries(models.filter((each) => each.is_rare))}</div>
      </details>
      <section class="afresh">${lineOf(
        AFRESH,
        html`<button type="button" class="button" @click=${startAfresh}>Start afresh</button>`,
      )}</section>`;
  }

  /** @param {Entry} entry */
  entry({ name, label, about }) {
    const choose = (/** @type {Event} */ { currentTarget }) =>
      this.run(currentTarget, async () => {
        if (name === this.model.value) return;
        this.outcome.say(`Opening ${label} …`);
        await this.questions.ask({ type: "choose", name }, false);
      });
    return html`<button type="button" class="model"
    aria-pressed=${name === this.model.value} aria-describedby="model-${name}" aria-label=${label}
    @click=${choose}
    ><span class="label">${label}</span><span class="about" id="model-${name}">${about}</span>
  </button>`;
  }

  /**
   * Runs the action of a button, and closes the dialog afterward.
   * @param {EventTarget | null} button @param {() => Promise<unknown>} action
   */
  run(button, action) {
    return this.outcome.attempt(/** @type {Element} */ (button), async () => {
      await action();
      this.dialog.close();
      return "";
    });
  }

  open() {
    if (!this.outcome.busy) this.outcome.say("");
    if (!this.dialog.open) this.dialog.showModal();
    this.focusChosen();
  }

  /** @param {File[]} files */
  take(files) {
    this.open();
    this.upload.take(files);
  }

  focusChosen() {
    const chosen = this.dialog.querySelector("[aria-pressed=true]");
    if (!(chosen instanceof HTMLElement)) return;
    chosen.closest("details")?.setAttribute("open", "");
    chosen.focus();
  }

  show() {
    const root = /** @type {Document | ShadowRoot} */ (this.node.getRootNode());
    const isFocused = root.activeElement?.matches(".model");
    this.draw();
    this.showDialog();
    if (isFocused) this.focusChosen();
  }
}
