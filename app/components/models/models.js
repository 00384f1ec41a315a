/** The button that names the current model, and the dialog to choose another one. */

import { asControl } from "../shared/control.js";
import { makeDialog, makeLine, Outcome } from "../shared/dialog.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { acceptDrops } from "../shared/drops.js";
import { Questions } from "../shared/files.js";
import { html } from "../shared/lit-html.js";
import { drawn } from "../shared/template.js";
import { ModelUpload } from "../shared/upload.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {{name: string, label: string, about: string}[]} models
 * @property {string} value name of the current model
 * @property {number} limit the largest file that can be opened, in bytes
 */

const FILES =
  "A model of Tinkerformer or PyTorch (.safetensors, .pt), all files of a model’s folder at " +
  "once, its vocabulary, own pairs or texts, or a saved page. Or drop it anywhere on the page.";
/** The ends of the names of files that are no model. */
const OTHERS = [".csv", ".tsv", ".jsonl"];

const AFRESH =
  "Everything as the page opens: model, words, settings, numbers and views. Undo leads back.";

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const questions = new Questions(model);
  const outcome = new Outcome(true);
  // A model that was just opened is what the reader wants to see: close without a message.
  const upload = new ModelUpload(model, questions, outcome, () => dialog.close(), OTHERS);

  const { node: list, show } = drawn(
    () =>
      html`<div class="entries">${model.models.map(
        ({ name, label, about }) => html`<button type="button" class="model"
        aria-pressed=${name === model.value} aria-describedby="model-${name}" aria-label=${label}
        @click=${(/** @type {Event} */ { currentTarget }) =>
          choose(/** @type {Element} */ (currentTarget), name, label)}
        ><span class="label">${label}</span><span class="about" id="model-${name}">${about}</span>
      </button>`,
      )}</div>`,
  );
  const focusChosen = () => {
    const chosen = list.querySelector("[aria-pressed=true]");
    if (chosen instanceof HTMLElement) chosen.focus();
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

  const afresh = make(
    "button",
    { type: "button", class: "button", onclick: () => outcome.attempt(afresh, startAfresh) },
    "Start afresh",
  );
  async function startAfresh() {
    await questions.ask({ type: "afresh" }, false);
    dialog.close();
    return "";
  }

  const nameOf = () => model.models.find(({ name }) => name === model.value)?.label ?? "";
  const current = make("span", { class: "current" }, nameOf());
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
  const listening = new AbortController();
  const { signal } = listening;
  acceptDrops(document.documentElement, dropped, signal);
  // Files that a dialog was given and that it does not open itself.
  document.addEventListener("tinkerformer:files", ({ detail }) => dropped(detail), { signal });
  model.on("remove", () => listening.abort());
  const opener = make(
    "button",
    { type: "button", class: "button opener", "aria-haspopup": "dialog", onclick: open },
    make("span", { class: "visually-hidden" }, "Model: "),
    current,
    make("span", { "aria-hidden": "true" }, "▾"),
  );
  const dialog = makeDialog(
    "models-title",
    "Model",
    outcome,
    make(
      "section",
      { class: "files" },
      makeLine(make("p", { class: "what" }, FILES), upload.choose),
      upload.ask,
      upload.input,
    ),
    list,
    make("section", { class: "afresh" }, makeLine(make("p", { class: "what" }, AFRESH), afresh)),
  );

  dialog.addEventListener("close", () => upload.forget());

  const later = oncePerFrame(() => {
    const root = /** @type {Document | ShadowRoot} */ (list.getRootNode());
    const isFocused = list.contains(root.activeElement);
    setText(current, nameOf());
    show();
    if (isFocused) focusChosen();
  });
  model.on("models", later);
  model.on("value", later);
  return asControl(model, make("div", { class: "control" }, opener, dialog));
}
