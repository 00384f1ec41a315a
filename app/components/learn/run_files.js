/** Saves a training run to a file, and opens one to continue it bit for bit. */

import { asControl } from "../shared/control.js";
import { make, setText } from "../shared/dom.js";
import { megabytes, Questions, save } from "../shared/files.js";
import { onMessage } from "../shared/model.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{type: "file", name: string, bytes: ArrayBuffer}} FileMessage
 */

/** @param {{model: Model<{limit: number} & ControlProperties>}} component */
export function render({ model }) {
  const questions = new Questions(model);
  const answer = make("p", { class: "message", role: "status" });
  /** @param {string} text @param {boolean} [isProblem] */
  const say = (text, isProblem = false) => {
    answer.className = isProblem ? "problem" : "message";
    setText(answer, text);
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
  const chooser = make("input", {
    type: "file",
    class: "run-file",
    accept: ".safetensors",
    hidden: true,
    onchange: async () => {
      const file = chooser.files?.[0];
      if (!file) return;
      chooser.value = "";
      try {
        await open(file);
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), true);
      }
    },
  });
  onMessage(model, (/** @type {FileMessage} */ { type, name, bytes }) => {
    if (type === "file") save(name, new Blob([bytes], { type: "application/octet-stream" }));
  });
  /** @param {string} label @param {string} title @param {() => void} onclick */
  const button = (label, title, onclick) =>
    make("button", { type: "button", class: "button", title, onclick }, label);
  return asControl(
    model,
    make(
      "section",
      { class: "control files", "aria-label": "The run as a file" },
      make(
        "div",
        { class: "buttons" },
        button("Save the run", "A file from which it goes on bit for bit", () =>
          model.send_msg({ type: "save" }),
        ),
        button("Open a run…", "A file that was saved here", () => chooser.click()),
        chooser,
      ),
      answer,
    ),
  );
}
