/**
 * Uploads the files of a model and asks for what they do not contain; used by dialogs that open
 * models.
 */

import { make } from "./dom.js";
import { megabytes } from "./files.js";

/**
 * @import {Outcome} from "./dialog.js"
 * @import {Questions} from "./files.js"
 */

/** The files of a folder of a model; in such a folder there are others, which are not read. */
const READ = [".safetensors", ".pt", ".pth", ".ckpt", ".bin", ".json", ".spm", ".txt"];

const HEADS_WANTED =
  "These are PyTorch’s names. They do not tell how many attention heads there are: choose the " +
  "number.";

/** The default number of heads. */
const USUAL_HEADS = 4;

/**
 * A button that opens a file chooser, and a field for the number of heads that appears if needed.
 */
export class ModelUpload {
  /**
   * @param {{limit: number}} model the largest upload, in bytes
   * @param {Questions} questions @param {Outcome} outcome
   * @param {(name: string) => void} [opened]
   * @param {string[]} [others] the ends of the names of other files that are opened
   */
  constructor(model, questions, outcome, opened = () => {}, others = []) {
    this.model = model;
    this.questions = questions;
    this.outcome = outcome;
    this.opened = opened;
    this.name = "";
    this.input = make("input", {
      type: "file",
      class: "model-files",
      accept: [...READ, ...others].join(","),
      multiple: true,
      hidden: true,
      onchange: () => this.chosen(),
    });
    this.choose = make(
      "button",
      {
        type: "button",
        class: "button",
        "aria-label": "Open a file of a model",
        onclick: () => this.input.click(),
      },
      "Open a file…",
    );
    this.heads = make("select", { id: "opening-heads" });
    const go = make("button", { type: "button", class: "button" }, "Open");
    go.addEventListener("click", () =>
      this.outcome.attempt(go, () => this.open(Number(this.heads.value))),
    );
    this.ask = make(
      "div",
      { class: "line heads", hidden: true },
      make("label", { for: "opening-heads" }, "Attention heads"),
      make("div", { class: "buttons" }, this.heads, go),
    );
  }

  /** Withdraws the question for the heads: its file is gone, or its dialog closes. */
  forget() {
    this.ask.hidden = true;
  }

  chosen() {
    const files = [...(this.input.files ?? [])];
    this.input.value = ""; // so that choosing the same file again fires an event
    this.take(files);
  }

  /** Opens files that were chosen or dropped. @param {File[]} files */
  take(files) {
    this.forget();
    if (files.length > 0) this.outcome.attempt(this.choose, () => this.send(files));
  }

  /** @param {File[]} all */
  async send(all) {
    const { limit } = this.model;
    const ofModel = all.filter((file) => READ.some((end) => file.name.endsWith(end)));
    const files = ofModel.length > 0 ? ofModel : all;
    const size = files.reduce((sum, file) => sum + file.size, 0);
    this.name = files.length === 1 ? files[0].name : `${files.length} files`;
    if (size > limit)
      throw new Error(
        `${this.name} has ${megabytes(size)} MB; at most ${limit >> 20} MB are read.`,
      );
    this.outcome.say(`Reading ${this.name} …`);
    for (const [at, file] of files.entries()) await this.questions.send(file, at === 0);
    return this.open(null);
  }

  /** @param {number | null} heads */
  async open(heads) {
    this.forget(); // Python keeps a file that it cannot open no longer
    /** @type {{heads?: number[]}} */
    const answer = await this.questions.ask({ type: "open", heads });
    this.ask.hidden = !answer.heads;
    if (!answer.heads) {
      this.opened(this.name);
      return `Opened ${this.name}.`;
    }
    this.heads.replaceChildren(
      ...answer.heads.map((each) =>
        make("option", { selected: each === USUAL_HEADS }, String(each)),
      ),
    );
    requestAnimationFrame(() => this.heads.focus());
    return HEADS_WANTED;
  }
}
