/** Saves a training run to a file, and opens a saved run, which continues bit for bit. */

import { asControl } from "../../components/shared/control.js";
import { megabytes, Questions, save } from "../../components/shared/files.js";
import { html } from "../../components/shared/lit-html.js";
import { onMessage } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {{type: "file", name: string, bytes: ArrayBuffer}} FileMessage
 */

/** @param {Component<{limit: number}>} component */
export function render({ model }) {
  const questions = new Questions(model);
  let said = { text: "", isProblem: false };
  const { node, show } = drawn(
    () => html`<section class="control files" aria-label="The run as a file">
      <div class="buttons">
        <button type="button" class="button" title="A file from which training continues exactly"
          @click=${() => model.send_msg({ type: "save" })}>Save the run</button>
        <button type="button" class="button" title="A run that was saved here"
          @click=${() => chooser.click()}>Open a run…</button>
        <input type="file" class="run-file" accept=".safetensors" hidden @change=${chosen}>
      </div>
      <p class=${said.isProblem ? "problem" : "message"} role="status">${said.text}</p>
    </section>`,
  );
  const chooser = /** @type {HTMLInputElement} */ (node.querySelector("input"));
  async function chosen() {
    const file = chooser.files?.[0];
    if (!file) return;
    chooser.value = "";
    try {
      await open(file);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
    }
  }
  const say = (/** @type {string} */ text, isProblem = false) => {
    said = { text, isProblem };
    show();
  };
  /** @param {File} file */
  const open = async (file) => {
    const { name, size } = file;
    if (size > model.limit)
      throw new Error(
        `${name} has ${megabytes(size)} MB; at most ${model.limit >> 20} MB are read.`,
      );
    say(`Reading ${name} …`);
    await questions.send(file, true);
    await questions.ask({ type: "open", heads: null });
    say(`Opened ${name}.`);
  };
  onMessage(model, (/** @type {FileMessage} */ { type, name, bytes }) => {
    if (type === "file") save(name, new Blob([bytes], { type: "application/octet-stream" }));
  });
  return asControl(model, node);
}
