/**
 * The Export button and its dialog. Every line says what it saves; outcomes are shown at the
 * bottom.
 */

import { asControl } from "../shared/control.js";
import { makeDialog, makeLine, Outcome } from "../shared/dialog.js";
import { make, setText } from "../shared/dom.js";
import { Questions, rasterize, save } from "../shared/files.js";
import { adoptMathStyles, typeset } from "../shared/katex.js";
import { ModelUpload } from "../shared/upload.js";
import { chartFile, chartPicture, chartsInView, chartTitle } from "./charts.js";

/**
 * @import {Pictured} from "../board/export/picture.js"
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
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

/** The page's public API, without which the dialog cannot work. */
function board() {
  if (!window.tinkerformer) throw new Error("The page is not ready yet.");
  return window.tinkerformer;
}

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const questions = new Questions(model);
  const outcome = new Outcome();

  /** @param {string} label @param {string} name @param {() => Promise<string>} action */
  const button = (label, name, action) => {
    const node = make("button", { type: "button", class: "button", "aria-label": name }, label);
    node.addEventListener("click", async () => {
      if (node.getAttribute("aria-disabled") === "true") return;
      outcome.say("…");
      await outcome.attempt(node, action);
      show();
    });
    return node;
  };

  /** @param {string} kind */
  const fetchFile = (kind) => async () => {
    /** @type {FileAnswer} */
    const file = await questions.ask({ type: "make", kind, path: model.matrix.path ?? null });
    save(file.name, new Blob([file.bytes], { type: file.mime }));
    return `Saved ${file.name}.`;
  };

  /** @param {Pictured} what @param {PictureType} type */
  const savePicture = async (what, type) => {
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

  const [symbol, where] = [make("span", { class: "symbol" }), make("span")];
  const matrixName = make("p", { class: "what" }, symbol, where);
  const ofMatrix = [
    button("CSV", "This matrix as CSV", fetchFile("csv")),
    button(".npy", "This matrix as .npy", fetchFile("npy")),
    ...PICTURE_TYPES.map((type) =>
      button(type.toUpperCase(), `Picture of this matrix as ${type.toUpperCase()}`, () =>
        savePicture({ path: model.matrix.path ?? "" }, type),
      ),
    ),
  ];

  const stages = make("select", { id: "export-stage" });
  const ofStage = PICTURE_TYPES.map((type) =>
    button(type.toUpperCase(), `Picture of this stage as ${type.toUpperCase()}`, () =>
      savePicture({ stage: stages.value }, type),
    ),
  );
  const listStages = () => {
    const now = board().stage();
    const all = board().stages();
    ofStages.hidden = all.length === 0;
    stages.replaceChildren(
      ...all.map(({ id, part, title }) => {
        const name = [part, title].filter(Boolean).join(": ");
        return make("option", { value: id, selected: id === now }, name);
      }),
    );
  };

  const charts = make("section", { "aria-label": "Charts", hidden: true });
  const listCharts = () => {
    const found = chartsInView();
    charts.hidden = found.length === 0;
    const lines = found.map((view, k) => {
      const title = chartTitle(view, k);
      const buttons = PICTURE_TYPES.map((type) =>
        button(type.toUpperCase(), `${title} as ${type.toUpperCase()}`, async () => {
          const name = `${chartFile(title)}.${type}`;
          save(name, await chartPicture(view, type));
          return `Saved ${name}.`;
        }),
      );
      return makeLine(make("p", { class: "what" }, title), ...buttons);
    });
    charts.replaceChildren(make("h3", {}, "Charts of this view"), ...lines);
  };

  const weights = make("p", { class: "what" });
  const useSeed = button("Use the seed again", "Use the weights of the seed again", async () => {
    await questions.ask({ type: "seed" }, false);
    return "The weights are those of the seed again.";
  });
  const upload = new ModelUpload(model, questions, outcome);

  const ofStages = section(
    "Picture of a stage",
    make(
      "div",
      { class: "line" },
      make("label", { for: "export-stage", class: "visually-hidden" }, "Stage"),
      stages,
      make("div", { class: "buttons" }, ...ofStage),
    ),
  );

  const dialog = makeDialog(
    "export-title",
    "Export",
    outcome,
    section("The selected matrix", makeLine(matrixName, ...ofMatrix)),
    ofStages,
    charts,
    section(
      "The model",
      ...MODEL_FILES.map(({ kind, label, about }) =>
        makeLine(make("p", { class: "what" }, about), button(label, label, fetchFile(kind))),
      ),
    ),
    section("Other weights", makeLine(weights, useSeed, upload.choose), upload.ask, upload.input),
  );

  const open = () => {
    outcome.say("");
    listStages();
    listCharts();
    adoptMathStyles(node);
    show();
    dialog.showModal();
  };
  const opener = make(
    "button",
    { type: "button", class: "button", "aria-haspopup": "dialog", onclick: open },
    "Export",
  );

  dialog.addEventListener("close", () => upload.forget());
  const node = make("div", { class: "control exports" }, opener, dialog);

  function show() {
    const { matrix, model: inUse } = model;
    const { tex } = matrix;
    setText(where, matrix.where ?? "Select a number first: its matrix can then be saved.");
    symbol.hidden = !tex;
    if (tex) typeset(symbol, tex);
    for (const node of ofMatrix) node.setAttribute("aria-disabled", String(!matrix.path));
    setText(weights, inUse.loaded ? `In use: ${inUse.name}` : `In use: those of ${inUse.name}.`);
    useSeed.hidden = !inUse.loaded;
  }
  model.on("matrix", show);
  model.on("model", show);
  show();
  return asControl(model, node);
}

/** @param {string} title @param {...Node} content */
const section = (title, ...content) => make("section", {}, make("h3", {}, title), ...content);
