/**
 * Shows the Export button and its dialog. Each line names its file; results are shown at the
 * bottom.
 */

import { asControl } from "../../components/shared/control.js";
import { drawnDialog, lineOf, Outcome } from "../../components/shared/dialog.js";
import { make } from "../../components/shared/dom.js";
import { Questions, save } from "../../components/shared/files.js";
import { adoptMathStyles, typeset } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { hasPicture, NO_PICTURE, savePicture } from "../../components/shared/picture_file.js";
import { drawn } from "../../components/shared/template.js";
import { ModelUpload } from "../../components/shared/upload.js";
import { chartFile, chartPicture, chartsInView, chartTitle } from "./charts.js";
import { board, saveDrawing } from "./drawings.js";

/**
 * @import {Pictured} from "../../board/export/picture.js"
 * @import {Component} from "../../components/shared/control.js"
 * @import {PictureType} from "./drawings.js"
 *
 * @typedef {object} Properties
 * @property {{path?: string, tex?: string, where?: string}} matrix the selected matrix
 * @property {{name: string, loaded: boolean}} model the model in use
 * @property {Record<string, Record<string, string>>} palettes the light theme of each palette
 * @property {number} limit the largest file that can be opened, in bytes
 *
 * @typedef {{name: string, mime: string, bytes: ArrayBuffer}} FileAnswer
 */

/** @type {readonly PictureType[]} */
const PICTURE_TYPES = ["svg", "png"];

const MODEL_FILES = [
  {
    kind: "safetensors",
    label: "Weights (.safetensors)",
    about: "All parameters as they are now, with the settings and the words.",
  },
  {
    kind: "numpy",
    label: "NumPy script",
    about: "Computes this page’s probabilities with NumPy alone.",
  },
  { kind: "torch", label: "PyTorch script", about: "The same with plain tensors." },
];

const NONE_SELECTED = "Select a number first: its matrix can then be saved.";

/** @param {Component<Properties>} component */
export function render({ model }) {
  const exports = new Exports(model);
  model.on("matrix", exports.show);
  model.on("model", exports.show);
  return asControl(model, exports.node);
}

class Exports {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    this.model = model;
    this.questions = new Questions(model);
    this.outcome = new Outcome();
    this.upload = new ModelUpload(model, this.questions, this.outcome);
    this.symbol = make("span", { class: "symbol" });
    // The stages and charts that can be saved, determined when the dialog opens.
    this.stages = /** @type {ReturnType<ReturnType<typeof board>["stages"]>} */ ([]);
    this.charts = /** @type {ReturnType<typeof chartsInView>} */ ([]);
    this.isPicture = false;
    const { dialog, show } = drawnDialog("export-title", () => ({
      title: "Export",
      body: this.body(),
      foot: this.outcome.node,
    }));
    this.dialog = dialog;
    this.show = show;
    dialog.addEventListener("close", () => this.upload.forget());
    this.node = drawn(
      () => html`<div class="control exports"><button type="button" class="button"
        aria-haspopup="dialog" @click=${() => this.open()}>Export</button>${dialog}</div>`,
    ).node;
  }

  get choice() {
    return /** @type {HTMLSelectElement} */ (this.dialog.querySelector("#export-stage"));
  }

  open() {
    this.outcome.say("");
    this.stages = board().stages();
    const now = this.stages.findIndex(({ id }) => id === board().stage());
    this.charts = chartsInView();
    this.isPicture = hasPicture();
    adoptMathStyles(this.node);
    this.show();
    this.choice.selectedIndex = Math.max(0, now);
    this.dialog.showModal();
  }

  body() {
    const { stages, charts, isPicture } = this;
    return html`<section><h3>The picture as you see it</h3>${lineOf(
      isPicture ? "With its sentence and its words." : NO_PICTURE,
      this.button("PNG", "The picture as you see it as PNG", savePicture, !isPicture),
    )}</section>
    <section><h3>The selected matrix</h3>${this.matrixLine()}</section>
    <section ?hidden=${!stages.length}><h3>Picture of a stage</h3>${this.stageLine()}</section>
    <section aria-label="Charts" ?hidden=${!charts.length}><h3>Charts of this view</h3>${charts.map(
      (view, k) => this.chartLine(view, k),
    )}</section>
    <section><h3>The model</h3>${MODEL_FILES.map(({ kind, label, about }) =>
      lineOf(about, this.button(label, label, this.fetchFile(kind))),
    )}</section>
    <section><h3>Other weights</h3>${this.weightsLine()}</section>`;
  }

  matrixLine() {
    const { path, tex, where = NONE_SELECTED } = this.model.matrix;
    this.symbol.hidden = !tex;
    if (tex) typeset(this.symbol, tex);
    return lineOf(
      html`${this.symbol}<span>${where}</span>`,
      this.button("CSV", "This matrix as CSV", this.fetchFile("csv"), !path),
      this.button(".npy", "This matrix as .npy", this.fetchFile("npy"), !path),
      this.drawingButtons("Picture of this matrix", () => ({ path: path ?? "" }), !path),
    );
  }

  stageLine() {
    return html`<div class="line">
      <label for="export-stage" class="visually-hidden">Stage</label>
      <select id="export-stage">${this.stages.map(
        ({ id, part, title }) =>
          html`<option value=${id}>${[part, title].filter(Boolean).join(": ")}</option>`,
      )}</select>
      <div class="buttons">${this.drawingButtons("Picture of this stage", () => ({
        stage: this.choice.value,
      }))}</div>
    </div>`;
  }

  /** @param {ReturnType<typeof chartsInView>[number]} view @param {number} k */
  chartLine(view, k) {
    const title = chartTitle(view, k);
    const saveChart = async (/** @type {PictureType} */ type) => {
      const name = `${chartFile(title)}.${type}`;
      save(name, await chartPicture(view, type));
      return `Saved ${name}.`;
    };
    return lineOf(title, this.pictureButtons(title, saveChart));
  }

  weightsLine() {
    const { name, loaded } = this.model.model;
    const useSeed = async () => {
      await this.questions.ask({ type: "seed" }, false);
      return "The weights are those of the seed again.";
    };
    return html`${lineOf(
      loaded ? `In use: ${name}` : `In use: those of ${name}.`,
      loaded
        ? this.button("Use the seed again", "Use the weights of the seed again", useSeed)
        : nothing,
      this.upload.choose,
    )}${this.upload.ask}${this.upload.input}`;
  }

  /**
   * @param {string} label @param {string} name @param {() => Promise<string>} action
   * @param {boolean} [isOff]
   */
  button(label, name, action, isOff = false) {
    const press = async (/** @type {Event} */ event) => {
      const node = /** @type {Element} */ (event.currentTarget);
      if (node.getAttribute("aria-disabled") === "true") return;
      this.outcome.say("…");
      await this.outcome.attempt(node, action);
      this.show();
    };
    return html`<button type="button" class="button" aria-label=${name} aria-disabled=${isOff}
      @click=${press}>${label}</button>`;
  }

  /**
   * @param {string} of the pictured object @param {(type: PictureType) => Promise<string>} action
   * @param {boolean} [isOff]
   */
  pictureButtons(of, action, isOff) {
    return PICTURE_TYPES.map((type) => {
      const label = type.toUpperCase();
      return this.button(label, `${of} as ${label}`, () => action(type), isOff);
    });
  }

  /** @param {string} of @param {() => Pictured} what @param {boolean} [isOff] */
  drawingButtons(of, what, isOff) {
    const action = (/** @type {PictureType} */ type) =>
      saveDrawing(this.questions, this.model.palettes, what(), type);
    return this.pictureButtons(of, action, isOff);
  }

  /** @param {string} kind */
  fetchFile(kind) {
    return async () => {
      const path = this.model.matrix.path ?? null;
      /** @type {FileAnswer} */
      const file = await this.questions.ask({ type: "make", kind, path });
      save(file.name, new Blob([file.bytes], { type: file.mime }));
      return `Saved ${file.name}.`;
    };
  }
}
