/** Learn, step, stop, start again; how far it is; and what the model writes now. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { megabytes, Questions, save } from "../shared/files.js";
import { onMessage } from "../shared/model.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Shown
 * @property {"ready" | "running" | "waiting" | "paused" | "stopped" | "done" | "diverged"} state
 * @property {number} step
 * @property {number} steps
 * @property {string} facts a line beside the progress
 * @property {string} message
 * @property {"good" | "bad" | ""} tone of the message
 * @property {string} asked the example
 * @property {string} answer the right one
 * @property {[letter: string, isRight: boolean][]} letters that the model writes
 * @property {string[]} options examples to choose from; empty if one is typed
 * @property {number} chosen
 * @property {string} problem with the example
 *
 * @typedef {object} Properties
 * @property {Shown | {}} shown
 * @property {number} limit the most bytes that are read
 *
 * @typedef {"play" | "step" | "stop" | "reset" | "explore" | "save"} Press
 * @typedef {{type: "file", name: string, bytes: ArrayBuffer}} FileMessage
 */

/** A screen reader would have to speak ten answers a second: it hears one in so many ms. */
const SPOKEN_MS = 4000;

/** @param {number} n */
const counted = (n) => n.toLocaleString("en");

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  /** @param {Press} name @param {string} label @param {string} title @param {string} [classes] */
  const button = (name, label, title, classes = "button") =>
    make(
      "button",
      {
        type: "button",
        class: classes,
        title,
        onclick: () => model.send_msg({ type: "press", name }),
      },
      label,
    );
  const play = button("play", "Learn", "Train the model", "button primary play");
  const step = button("step", "Step", "Take one step");
  const stop = button("stop", "Stop", "Hold here and translate all that was held out");
  const reset = button("reset", "Reset", "Back to the same random start");
  const fill = make("div", { class: "fill" });
  const bar = make(
    "div",
    { class: "bar", role: "progressbar", "aria-label": "Steps taken", "aria-valuemin": 0 },
    fill,
  );
  const count = make("span", { class: "count" });
  const facts = make("span", { class: "facts" });
  const message = make("p", { class: "message", role: "status" });
  const example = new Example((text) => model.send_msg({ type: "example", text }));
  const runs = runFiles(model, [
    button("explore", "Open in Explore", "Look at every number of the model of this moment"),
    button("save", "Save the run", "A file from which it goes on bit for bit"),
  ]);

  function show() {
    const { shown } = model;
    if (!("state" in shown)) return;
    const { state, step: at, steps } = shown;
    const isActive = state === "running" || state === "waiting";
    const isOver = state === "done" || state === "diverged";
    setText(play, isActive ? "Pause" : "Learn");
    setAttribute(play, "title", isActive ? "Hold; the rest can follow later" : "Train the model");
    play.disabled = isOver;
    step.disabled = isActive || isOver;
    stop.disabled = !isActive;
    reset.disabled = state === "ready";
    setAttribute(bar, "aria-valuemax", steps);
    setAttribute(bar, "aria-valuenow", at);
    fill.style.width = `${(100 * at) / steps}%`;
    setText(count, `step ${counted(at)} of ${counted(steps)}`);
    setText(facts, shown.facts);
    setText(message, shown.message);
    message.className = `message ${shown.tone}`;
    example.show(shown, isActive);
  }

  model.on("shown", oncePerFrame(show));
  show();
  return make(
    "section",
    { class: "control training", "aria-label": "Training" },
    make(
      "div",
      { class: "transport" },
      make("div", { class: "buttons" }, play, step, stop, reset),
      bar,
      make("p", { class: "line" }, count, facts),
      message,
    ),
    example.node,
    runs,
  );
}

/** What is translated, typed or chosen, and what the model writes for it. */
class Example {
  /** @param {(text: string) => void} send */
  constructor(send) {
    this.options = "";
    this.spoken = 0;
    this.input = make("input", {
      id: "learn-example",
      type: "text",
      class: "asked",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 20,
      "aria-describedby": "learn-example-problem",
      oninput: () => send(this.input.value),
    });
    this.select = make("select", {
      id: "learn-example-choice",
      class: "asked",
      onchange: () => send(String(this.select.selectedIndex)),
    });
    this.label = make("label", { for: this.input.id });
    this.problem = make("p", { class: "problem", id: "learn-example-problem", role: "status" });
    this.letters = make("span", { class: "letters", "aria-hidden": "true" });
    this.read = make("span", { class: "visually-hidden" });
    this.verdict = make("span", { class: "verdict" });
    this.right = make("p", { class: "right" });
    const caption = make("span", { class: "caption" }, "The model writes");
    this.node = make(
      "div",
      { class: "example" },
      make("div", { class: "question" }, this.label, this.input, this.select),
      this.problem,
      make("p", { class: "written" }, caption, this.letters, this.read, this.verdict),
      this.right,
    );
  }

  /** @param {Shown} shown @param {boolean} isActive whether the model is learning */
  show({ options, asked, chosen, problem, letters, answer }, isActive) {
    const key = JSON.stringify(options);
    if (key !== this.options) {
      this.options = key;
      this.select.replaceChildren(...options.map((each) => make("option", {}, each)));
    }
    const isTyped = options.length === 0;
    const { input, select } = this;
    input.hidden = !isTyped;
    select.hidden = isTyped;
    this.label.htmlFor = isTyped ? input.id : select.id;
    setText(this.label, isTyped ? "Date to translate" : "Held-out source");
    if (!isTyped) select.selectedIndex = chosen;
    else if (!input.matches(":focus") && !problem && input.value !== asked) input.value = asked;
    setText(this.problem, problem);
    setAttribute(input, "aria-invalid", problem ? "true" : null);
    this.showWritten(letters, answer, isActive);
  }

  /** @param {Shown["letters"]} letters @param {string} answer @param {boolean} isActive */
  showWritten(letters, answer, isActive) {
    const wrong = letters.filter(([, isRight]) => !isRight).length;
    const key = JSON.stringify(letters);
    if (this.letters.dataset.key !== key) {
      this.letters.dataset.key = key;
      this.letters.replaceChildren(...letters.map(([each, isRight]) => letter(each, isRight)));
    }
    const right = `${letters.length - wrong} of ${answer.length} letters`;
    setText(this.verdict, wrong ? `✗ ${right}` : "✓ right");
    this.verdict.className = wrong ? "verdict" : "verdict good";
    setText(this.right, wrong ? `should be ${answer}` : "");
    if (isActive && performance.now() - this.spoken <= SPOKEN_MS) return;
    this.spoken = performance.now();
    const text = letters.map(([each]) => each).join("") || "nothing";
    setText(this.read, `${text}, ${wrong ? `${wrong} letters wrong` : "right"}`);
  }
}

/** @param {string} text nothing where one is missing @param {boolean} isRight */
function letter(text, isRight) {
  const visible = text === "" ? "·" : text.replace(" ", "\u00a0");
  return make("span", { class: isRight ? "letter" : "letter wrong" }, visible);
}

/**
 * Saving a run and opening one.
 * @param {Model<Properties & ControlProperties>} model @param {HTMLElement[]} buttons
 */
function runFiles(model, buttons) {
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
  const choose = make(
    "button",
    { type: "button", class: "button", onclick: () => chooser.click() },
    "Open a run…",
  );
  return asControl(
    model,
    make(
      "div",
      { class: "files" },
      make("div", { class: "more" }, ...buttons, choose, chooser),
      answer,
    ),
  );
}
