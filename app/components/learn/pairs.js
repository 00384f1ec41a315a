/**
 * Pairs of the user's own: typed, pasted or out of a file. What was typed stays until it is
 * replaced.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { megabytes } from "../shared/files.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 */

const MAX_TEXT = 4 << 20;
const ABOUT =
  "A source, a comma and its target on each line; at most 20,000 lines of 64 characters on each " +
  "side. A tenth is held out.";

/** @param {{model: Model<ControlProperties & {note: string, own: boolean}>}} component */
export function render({ model }) {
  const text = make("textarea", {
    id: "learn-pairs",
    rows: 6,
    spellcheck: "false",
    "aria-describedby": "learn-pairs-problem",
    placeholder: "cat,cats\nmouse,mice\n…",
  });
  const problem = make("p", { class: "problem", id: "learn-pairs-problem", role: "status" });
  const note = make("span", { class: "note" });
  const file = make("input", {
    type: "file",
    class: "pairs-file",
    accept: ".csv,.txt,text/csv,text/plain",
    hidden: true,
  });
  /** @param {string | null} value null: none of one's own */
  const send = (value) => model.send_msg({ type: "pairs", text: value });
  /** @param {string} sentence */
  const refuse = (sentence) => setText(problem, sentence);

  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    file.value = "";
    const { name, size } = chosen;
    if (size > MAX_TEXT) {
      refuse(`${name} has ${megabytes(size)} MB; at most ${MAX_TEXT >> 20} MB are read.`);
      return;
    }
    try {
      text.value = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
      send(text.value);
    } catch {
      refuse(`${name} is no text in UTF-8.`);
    }
  });
  const use = make(
    "button",
    { type: "button", class: "button", onclick: () => send(text.value) },
    "Learn these pairs",
  );
  const back = make(
    "button",
    { type: "button", class: "button", onclick: () => send(null) },
    "Back to the dates",
  );

  function show() {
    refuse(model.problem);
    setAttribute(text, "aria-invalid", model.problem ? "true" : null);
    setText(note, model.note);
    back.hidden = !model.own;
    if (model.problem) details.open = true;
  }
  const details = make(
    "details",
    {},
    make("summary", {}, "Your own pairs", note),
    make("label", { for: "learn-pairs" }, ABOUT),
    text,
    problem,
    make(
      "div",
      { class: "buttons" },
      use,
      make(
        "button",
        { type: "button", class: "button", onclick: () => file.click() },
        "Open a CSV file…",
      ),
      back,
      file,
    ),
  );

  const later = oncePerFrame(show);
  for (const name of ["problem", "note", "own"]) model.on(name, later);
  show();
  return asControl(
    model,
    make("section", { class: "control source", "aria-label": "What is learned" }, details),
  );
}
