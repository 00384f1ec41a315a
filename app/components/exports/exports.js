/** The Export button, and the dialog that it opens. Every line says what it saves; answers stand at the foot. */

import { make, setText } from "../shared/dom.js";
import { Questions, rasterize, save } from "../shared/files.js";
import { opening } from "../shared/upload.js";
import { chartFile, chartPicture, chartsInView, chartTitle } from "./charts.js";

const KINDS_OF_MODEL = [
  [
    "safetensors",
    "Weights (.safetensors)",
    "All parameters as they are now, with the settings and the words.",
  ],
  ["numpy", "NumPy script", "Computes this page’s probabilities with NumPy alone."],
  ["torch", "PyTorch script", "The same with plain tensors."],
];

export function render({ model }) {
  const questions = new Questions(model);
  const board = () => window.tinkerformer;
  const answer = make("p", { class: "answer", role: "status" });
  const say = (text, bad = false) => {
    answer.className = bad ? "answer problem" : "answer";
    setText(answer, text);
  };

  /** Run what a button does, and tell how it went. */
  const attempt = async (button, action) => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    say("…");
    try {
      say(await action());
    } catch (error) {
      say(error.message, true);
    }
    button.setAttribute("aria-disabled", "false");
    show();
  };

  const button = (label, name, action) => {
    const node = make("button", { type: "button", class: "button", "aria-label": name }, label);
    node.addEventListener("click", () => attempt(node, action));
    return node;
  };

  const fetchFile = (kind) => async () => {
    const file = await questions.ask({ type: "make", kind, path: model.matrix.path ?? null });
    save(file.name, new Blob([file.bytes], { type: file.mime }));
    return `Saved ${file.name}.`;
  };

  const picture = (what, type) => async () => {
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
    const name = `${what.path || what.stage}.${type}`;
    save(
      name,
      type === "svg" ? new Blob([svg.text], { type: "image/svg+xml" }) : await rasterize(svg),
    );
    return `Saved ${name}.`;
  };

  // -- this matrix -------------------------------------------------------------------------------

  const matrixName = make("p", { class: "what" });
  const ofMatrix = [
    button("CSV", "This matrix as CSV", fetchFile("csv")),
    button(".npy", "This matrix as .npy", fetchFile("npy")),
    button("SVG", "Picture of this matrix as SVG", () =>
      picture({ path: model.matrix.path }, "svg")(),
    ),
    button("PNG", "Picture of this matrix as PNG", () =>
      picture({ path: model.matrix.path }, "png")(),
    ),
  ];

  // -- a stage -----------------------------------------------------------------------------------

  const stages = make("select", { id: "export-stage" });
  const ofStage = ["svg", "png"].map((type) =>
    button(type.toUpperCase(), `Picture of this stage as ${type.toUpperCase()}`, () =>
      picture({ stage: stages.value }, type)(),
    ),
  );

  const listStages = () => {
    const now = board().stage();
    stages.replaceChildren(
      ...board()
        .stages()
        .map(({ id, part, title }) =>
          make(
            "option",
            { value: id, selected: id === now },
            [part, title].filter(Boolean).join(": "),
          ),
        ),
    );
  };

  // -- charts ------------------------------------------------------------------------------------

  const charts = make("section", { "aria-label": "Charts", hidden: true });
  const listCharts = () => {
    const found = chartsInView();
    charts.hidden = found.length === 0;
    charts.replaceChildren(
      make("h3", {}, "Charts of this view"),
      ...found.map((view, k) => {
        const title = chartTitle(view, k),
          file = chartFile(title);
        return make(
          "div",
          { class: "line" },
          make("p", { class: "what" }, title),
          make(
            "div",
            { class: "buttons" },
            ...["svg", "png"].map((type) =>
              button(type.toUpperCase(), `${title} as ${type.toUpperCase()}`, async () => {
                save(`${file}.${type}`, await chartPicture(view, type));
                return `Saved ${file}.${type}.`;
              }),
            ),
          ),
        );
      }),
    );
  };

  // -- the model ---------------------------------------------------------------------------------

  const source = make("p", { class: "what" });
  const drop = button("Use the seed again", "Use the weights of the seed again", async () => {
    await questions.ask({ type: "seed" });
    return "The weights are those of the seed again.";
  });
  const door = opening(model, questions, attempt, say);

  // -- the dialog --------------------------------------------------------------------------------

  const section = (title, ...content) => make("section", {}, make("h3", {}, title), ...content);
  const dialog = make(
    "dialog",
    { "aria-labelledby": "export-title" },
    make(
      "div",
      { class: "head" },
      make("h2", { id: "export-title" }, "Export"),
      make("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Close"),
    ),
    make(
      "div",
      { class: "body" },
      section(
        "The selected matrix",
        make("div", { class: "line" }, matrixName, make("div", { class: "buttons" }, ...ofMatrix)),
      ),
      section(
        "Picture of a stage",
        make(
          "div",
          { class: "line" },
          make("label", { for: "export-stage", class: "visually-hidden" }, "Stage"),
          stages,
          make("div", { class: "buttons" }, ...ofStage),
        ),
      ),
      charts,
      section(
        "The model",
        ...KINDS_OF_MODEL.map(([kind, label, about]) =>
          make(
            "div",
            { class: "line" },
            make("p", { class: "what" }, about),
            make("div", { class: "buttons" }, button(label, label, fetchFile(kind))),
          ),
        ),
      ),
      section(
        "Other weights",
        make(
          "div",
          { class: "line" },
          source,
          make("div", { class: "buttons" }, drop, door.choose),
        ),
        door.ask,
        door.input,
      ),
    ),
    make("div", { class: "foot" }, answer),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  const opener = make(
    "button",
    { type: "button", class: "button", "aria-haspopup": "dialog" },
    "Export",
  );
  opener.addEventListener("click", () => {
    say("");
    listStages();
    listCharts();
    show();
    dialog.showModal();
  });

  function show() {
    setText(
      matrixName,
      model.matrix.name || "Select a number first: its matrix can then be saved.",
    );
    for (const node of ofMatrix) node.setAttribute("aria-disabled", String(!model.matrix.path));
    setText(
      source,
      model.model.loaded ? `In use: ${model.model.name}` : `In use: those of ${model.model.name}.`,
    );
    drop.hidden = !model.model.loaded;
  }
  model.on("matrix", show);
  model.on("model", show);
  show();
  return make("div", { class: "control exports" }, opener, dialog);
}
