/**
 * Uploads the files of a model, for dialogs that open models. If the files do not contain the
 * number of heads, the user chooses it.
 */

import { megabytes } from "./files.js";
import { html } from "./lit-html.js";
import { drawn } from "./template.js";

/**
 * @import {Outcome} from "./dialog.js"
 * @import {Questions} from "./files.js"
 */

/** The extensions of a model's files; other files in the same folder are ignored. */
const READ = [".safetensors", ".pt", ".pth", ".ckpt", ".bin", ".json", ".spm", ".txt"];

const HEADS_WANTED =
  "These are PyTorch’s names. They do not contain the number of attention heads: choose it.";

/** The default number of heads. */
const USUAL_HEADS = 4;

/** A button that opens a file chooser, and a field for the number of heads, if needed. */
export class ModelUpload {
  /**
   * @param {{limit: number}} model the largest upload, in bytes
   * @param {Questions} questions @param {Outcome} outcome @param {(name: string) => void} [opened]
   * @param {string[]} [others] the extensions of other files that can be opened
   */
  constructor(model, questions, outcome, opened = () => {}, others = []) {
    this.model = model;
    this.questions = questions;
    this.outcome = outcome;
    this.opened = opened;
    this.name = "";
    /** The numbers of heads to choose from; empty without a question. @type {number[]} */
    this.heads = [];
    this.input = /** @type {HTMLInputElement} */ (
      drawn(
        () => html`<input type="file" class="model-files" accept=${[...READ, ...others].join(",")}
          multiple hidden @change=${() => this.chosen()}>`,
      ).node
    );
    this.choose = drawn(
      () => html`<button type="button" class="button" aria-label="Open a file of a model"
        @click=${() => this.input.click()}>Open a file…</button>`,
    ).node;
    const { node, show } = drawn(() => this.question());
    this.ask = node;
    this.draw = show;
  }

  question() {
    const go = (/** @type {Event} */ { currentTarget }) =>
      this.outcome.attempt(/** @type {Element} */ (currentTarget), () =>
        this.open(Number(this.select?.value)),
      );
    return html`<div class="line heads" ?hidden=${!this.heads.length}>
      <label for="opening-heads">Attention heads</label>
      <div class="buttons"><select id="opening-heads">${this.heads.map(
        (each) => html`<option .selected=${each === USUAL_HEADS}>${each}</option>`,
      )}</select><button type="button" class="button" @click=${go}>Open</button></div>
    </div>`;
  }

  get select() {
    return this.ask.querySelector("select");
  }

  /** @param {number[]} [heads] */
  askFor(heads = []) {
    this.heads = heads;
    this.draw();
  }

  /** Hides the question about heads after the file was replaced or the dialog was closed. */
  forget() {
    this.askFor();
  }

  chosen() {
    const files = [...(this.input.files ?? [])];
    this.input.value = ""; // so that a second choice of the same file fires an event
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
    this.forget(); // Python discards a file that it cannot open
    /** @type {{heads?: number[]}} */
    const answer = await this.questions.ask({ type: "open", heads });
    this.askFor(answer.heads);
    if (!answer.heads) {
      this.opened(this.name);
      return `Opened ${this.name}.`;
    }
    requestAnimationFrame(() => this.select?.focus());
    return HEADS_WANTED;
  }
}
