/** The button that names the current model, and the dialog for choosing a model. */

import { asControl } from "../../components/shared/control.js";
import { drawnDialog, lineOf, Outcome } from "../../components/shared/dialog.js";
import { acceptDrops } from "../../components/shared/drops.js";
import { Questions } from "../../components/shared/files.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";
import { ModelUpload } from "../../components/shared/upload.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 *
 * @typedef {{name: string, label: string, about: string, is_rare?: boolean}} Entry
 *
 * @typedef {object} Properties
 * @property {Entry[]} models
 * @property {string} value name of the current model
 * @property {number} limit the largest file that can be opened, in bytes
 */

const FILES = "Open a saved page, a .safetensors or .pt model, or your own text.";
const MORE_FILES =
  "Also all files of a model’s folder at once, or its vocabulary. Or drop them on the page.";
/** The extensions of files that are not models. */
const OTHERS = [".csv", ".tsv", ".jsonl"];

const AFRESH = "Resets model, words, settings, numbers and views. Undo brings them back.";

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const questions = new Questions(model);
  const outcome = new Outcome(true);
  // Close without a message after opening a model: the user wants to see it.
  const upload = new ModelUpload(model, questions, outcome, () => dialog.close(), OTHERS);

  const focusChosen = () => {
    const chosen = dialog.querySelector("[aria-pressed=true]");
    if (!(chosen instanceof HTMLElement)) return;
    chosen.closest("details")?.setAttribute("open", "");
    chosen.focus();
  };
  /** @param {Element} button @param {string} name @param {string} label */
  const choose = (button, name, label) =>
    outcome.attempt(button, async () => {
      if (name !== model.value) {
        outcome.say(`Opening ${label} …`);
        await questions.ask({ type: "choose", name }, false);
      }
      dialog.close();
      return "";
    });

  const startAfresh = (/** @type {Event} */ { currentTarget }) =>
    outcome.attempt(/** @type {Element} */ (currentTarget), async () => {
      await questions.ask({ type: "afresh" }, false);
      dialog.close();
      return "";
    });

  const open = () => {
    if (!outcome.busy) outcome.say("");
    if (!dialog.open) dialog.showModal();
    focusChosen();
  };
  /** @param {File[]} files */
  const dropped = (files) => {
    if (model.disabled) return;
    open();
    upload.take(files);
  };
  const signal = untilRemoved(model);
  acceptDrops(document.documentElement, dropped, signal);
  // Files given to another dialog that does not open them itself.
  document.addEventListener("tinkerformer:files", ({ detail }) => dropped(detail), { signal });
  /** @param {Entry} entry */
  const entryOf = ({ name, label, about }) => html`<button type="button" class="model"
    aria-pressed=${name === model.value} aria-describedby="model-${name}" aria-label=${label}
    @click=${(/** @type {Event} */ { currentTarget }) =>
      choose(/** @type {Element} */ (currentTarget), name, label)}
    ><span class="label">${label}</span><span class="about" id="model-${name}">${about}</span>
  </button>`;
  const { dialog, show: showDialog } = drawnDialog("models-title", () => ({
    title: "Model",
    body: html`<section class="files">${lineOf(FILES, upload.choose)}<p
      class="what">${MORE_FILES}</p>${upload.ask}${upload.input}
      </section>
      <div class="entries">${model.models.filter((each) => !each.is_rare).map(entryOf)}</div>
      <details><summary>More models</summary>
        <div class="entries">${model.models.filter((each) => each.is_rare).map(entryOf)}</div>
      </details>
      <section class="afresh">${lineOf(
        AFRESH,
        html`<button type="button" class="button" @click=${startAfresh}>Start afresh</button>`,
      )}</section>`,
    foot: outcome.node,
  }));
  const { node, show } = drawn(
    () => html`<div class="control"><button type="button" class="button opener"
      aria-haspopup="dialog" @click=${open}><span class="visually-hidden">Model: </span><span
      class="current">${model.models.find(({ name }) => name === model.value)?.label}</span><span
      aria-hidden="true">▾</span></button>${dialog}</div>`,
  );
  dialog.addEventListener("close", () => upload.forget());

  onChange(model, ["models", "value"], () => {
    const root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
    const isFocused = root.activeElement?.matches(".model");
    show();
    showDialog();
    if (isFocused) focusChosen();
  });
  return asControl(model, node);
}
