/**
 * The Export button and its dialog. Each line names its file; results are shown at the
 * bottom.
 */

import { asControl } from "../../components/shared/control.js";
import { drawnDialog, lineOf, Outcome } from "../../components/shared/dialog.js";
import { make } from "../../components/shared/dom.js";
import { Questions, rasterize, save } from "../../components/shared/files.js";
import { adoptMathStyles, typeset } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { hasPicture, NO_PICTURE, savePicture } from "../../components/shared/picture_file.js";
import { drawn } from "../../components/shared/template.js";
import { ModelUpload } from "../../components/shared/upload.js";
import { chartFile, chartPicture, chartsInView, chartTitle } from "./charts.js";

/**
 * @import {Pictured} from "../../board/export/picture.js"
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 *
 * @typedef {object} Properties
 * @property {{path?: string, tex?: string, where?: string}} matrix the selected matrix
 * @property {{name: string, loaded: boolean}} model the model in use
 * @property {Record<string, Record<string, string>>} palettes the light theme of each palette
 * @property {number} limit the largest file that can be opened, in bytes
 *
 * @typedef {{name: string, mime: string, bytes: ArrayBuffer}} FileAnswer
 * @typedef {[path: string, values: ArrayBuffer, flags: ArrayBuffer | null, gradients: ArrayBuffer |
 *   null]} Values
 * @typedef {"svg" | "png"} PictureType
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

/** The page's public API, without which the dialog cannot work. */
function board() {
  if (!window.tinkerformer) throw new Error("The page is not ready yet.");
  return window.tinkerformer;
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const questions = new Questions(model);
  const outcome = new Outcome();
  const upload = new ModelUpload(model, questions, outcome);
  const symbol = make("span", { class: "symbol" });
  /** What the page can save, determined when the dialog opens. */
  let stages = /** @type {ReturnType<ReturnType<typeof board>["stages"]>} */ ([]);
  let charts = /** @type {ReturnType<typeof chartsInView>} */ ([]);
  let isPicture = false;

  /**
   * @param {string} label @param {string} name @param {() => Promise<string>} action
   * @param {boolean} [isOff]
   */
  const button = (label, name, action, isOff = false) => {
    const press = async (/** @type {Event} */ event) => {
      const node = /** @type {Element} */ (event.currentTarget);
      if (node.getAttribute("aria-disabled") === "true") return;
      outcome.say("…");
      await outcome.attempt(node, action);
      show();
    };
    return html`<button type="button" class="button" aria-label=${name} aria-disabled=${isOff}
      @click=${press}>${label}</button>`;
  };

  /**
   * @param {string} of what is pictured @param {(type: PictureType) => Promise<string>} action
   * @param {boolean} [isOff]
   */
  const pictureButtons = (of, action, isOff) =>
    PICTURE_TYPES.map((type) => {
      const label = type.toUpperCase();
      return button(label, `${of} as ${label}`, () => action(type), isOff);
    });

  /** @param {string} kind */
  const fetchFile = (kind) => async () => {
    /** @type {FileAnswer} */
    const file = await questions.ask({ type: "make", kind, path: model.matrix.path ?? null });
    save(file.name, new Blob([file.bytes], { type: file.mime }));
    return `Saved ${file.name}.`;
  };

  /** @param {Pictured} what @param {PictureType} type */
  const saveDrawing = async (what, type) => {
    /** @type {{values: Values[]}} */
    const { values } = await questions.ask({ type: "values", paths: board().picturePaths(what) });
    const fresh = new Map(
      values.map(([path, numbers, flags, gradients]) => [
        path,
        {
          values: new Float32Array(numbers),
          flags: flags && new Uint8Array(flags),
          gradients: gradients && new Float32Array(gradients),
        },
      ]),
    );
    const svg = board().picture(what, model.palettes[board().view().palette], fresh);
    const name = `${"path" in what ? what.path : what.stage}.${type}`;
    const isSvg = type === "svg";
    save(name, isSvg ? new Blob([svg.text], { type: "image/svg+xml" }) : await rasterize(svg));
    return `Saved ${name}.`;
  };

  /** @param {(typeof charts)[number]} view @param {number} k */
  const chartLine = (view, k) => {
    const title = chartTitle(view, k);
    const saveChart = async (/** @type {PictureType} */ type) => {
      const name = `${chartFile(title)}.${type}`;
      save(name, await chartPicture(view, type));
      return `Saved ${name}.`;
    };
    return lineOf(title, pictureButtons(title, saveChart));
  };

  const useSeed = async () => {
    await questions.ask({ type: "seed" }, false);
    return "The weights are those of the seed again.";
  };

  function body() {
    const { path, tex, where = NONE_SELECTED } = model.matrix;
    const { name, loaded } = model.model;
    symbol.hidden = !tex;
    if (tex) typeset(symbol, tex);
    return html`<section><h3>The picture as you see it</h3>${lineOf(
      isPicture ? "With its sentence and its words." : NO_PICTURE,
      button("PNG", "The picture as you see it as PNG", savePicture, !isPicture),
    )}</section>
    <section><h3>The selected matrix</h3>${lineOf(
      html`${symbol}<span>${where}</span>`,
      button("CSV", "This matrix as CSV", fetchFile("csv"), !path),
      button(".npy", "This matrix as .npy", fetchFile("npy"), !path),
      pictureButtons(
        "Picture of this matrix",
        (type) => saveDrawing({ path: path ?? "" }, type),
        !path,
      ),
    )}</section>
    <section ?hidden=${!stages.length}><h3>Picture of a stage</h3><div class="line">
      <label for="export-stage" class="visually-hidden">Stage</label>
      <select id="export-stage">${stages.map(
        ({ id, part, title }) =>
          html`<option value=${id}>${[part, title].filter(Boolean).join(": ")}</option>`,
      )}</select>
      <div class="buttons">${pictureButtons("Picture of this stage", (type) =>
        saveDrawing({ stage: choice().value }, type),
      )}</div>
    </div></section>
    <section aria-label="Charts" ?hidden=${!charts.length}><h3>Charts of this view</h3>${charts.map(
      chartLine,
    )}</section>
    <section><h3>The model</h3>${MODEL_FILES.map(({ kind, label, about }) =>
      lineOf(about, button(label, label, fetchFile(kind))),
    )}</section>
    <section><h3>Other weights</h3>${lineOf(
      loaded ? `In use: ${name}` : `In use: those of ${name}.`,
      loaded ? button("Use the seed again", "Use the weights of the seed again", useSeed) : nothing,
      upload.choose,
    )}${upload.ask}${upload.input}</section>`;
  }

  const { dialog, show } = drawnDialog("export-title", () => ({
    title: "Export",
    body: body(),
    foot: outcome.node,
  }));
  const choice = () => /** @type {HTMLSelectElement} */ (dialog.querySelector("#export-stage"));

  const open = () => {
    outcome.say("");
    stages = board().stages();
    const now = stages.findIndex(({ id }) => id === board().stage());
    charts = chartsInView();
    isPicture = hasPicture();
    adoptMathStyles(node);
    show();
    choice().selectedIndex = Math.max(0, now);
    dialog.showModal();
  };
  dialog.addEventListener("close", () => upload.forget());
  model.on("matrix", show);
  model.on("model", show);
  const { node } = drawn(
    () => html`<div class="control exports"><button type="button" class="button"
      aria-haspopup="dialog" @click=${open}>Export</button>${dialog}</div>`,
  );
  return asControl(model, node);
}
