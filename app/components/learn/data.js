/**
 * The training data: phrases, dates, or pairs or texts that the user types, pastes or loads from a
 * file. The user's own stay until they are replaced.
 */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";
import { megabytes } from "../shared/files.js";
import { ask } from "../shared/model.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Properties
 * @property {string} value
 * @property {[name: string, label: string][]} options
 * @property {string} note
 */

const MAX_TEXT = 4 << 20;
const MOST = "at most 20,000 lines of 64 words or characters";
const UNSEEN = "A tenth stays unseen.";
/**
 * What can be learned of the user's own data: its name, its label, how it is written, an example
 * and what the button says.
 * @type {{name: string, label: string, about: string, example: string, learn: string}[]}
 */
const OWN = [
  {
    name: "own",
    label: "pairs: an encoder and a decoder",
    about: `A source, a comma and its target on each line; ${MOST} on each side. ${UNSEEN}`,
    example: "cat,cats\nmouse,mice\n…",
    learn: "Learn these pairs",
  },
  {
    name: "own-next-word",
    label: "the next word: a decoder alone",
    about: `A text on each line; ${MOST}. ${UNSEEN}`,
    example: "the sun rises in the east\nthe moon rises at night\n…",
    learn: "Learn these texts",
  },
  {
    name: "own-blanks",
    label: "fill in the blank: an encoder alone",
    about: `A whole text on each line, the blanks are drawn; ${MOST}. ${UNSEEN}`,
    example: "the sun rises in the east\nthe moon rises at night\n…",
    learn: "Learn these texts",
  },
];
const IS_OWN = new Set(OWN.map(({ name }) => name));
/** @type {[unit: "word" | "character", label: string][]} */
const UNITS = [
  ["word", "words"],
  ["character", "characters"],
];

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const choice = make("select", {
    id: "learn-data",
    onchange: () => {
      // The user's own data have to be given first.
      if (!IS_OWN.has(choice.value)) {
        model.value = choice.value;
        return;
      }
      learned.value = choice.value;
      choice.value = model.value;
      describe();
      details.open = true;
      text.focus();
    },
  });
  const note = make("p", { class: "message" });
  const text = make("textarea", {
    id: "learn-pairs",
    rows: 6,
    spellcheck: "false",
    "aria-describedby": "learn-pairs-problem",
  });
  const unit = make(
    "select",
    { id: "learn-unit" },
    ...UNITS.map(([value, label]) => make("option", { value }, label)),
  );
  const learned = make(
    "select",
    { id: "learn-own", onchange: () => describe() },
    ...OWN.map(({ name, label }) => make("option", { value: name }, label)),
  );
  const problem = make("p", { class: "problem", id: "learn-pairs-problem", role: "status" });
  const file = make("input", {
    type: "file",
    class: "pairs-file",
    accept: ".csv,.txt,text/csv,text/plain",
    hidden: true,
  });
  /** @param {string} sentence */
  const refuse = (sentence) => setText(problem, sentence);
  const send = () =>
    ask(
      model,
      { type: "pairs", text: text.value, unit: unit.value, learned: learned.value },
      { isLong: true },
    ).catch((error) => refuse(error.message));

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
      send();
    } catch {
      refuse(`${name} is no text in UTF-8.`);
    }
  });
  /** @param {string} label @param {() => void} onclick */
  const button = (label, onclick) =>
    make("button", { type: "button", class: "button", onclick }, label);
  const about = make("label", { for: text.id });
  const learn = button("", send);
  const describe = () => {
    const own = OWN.find(({ name }) => name === learned.value) ?? OWN[0];
    setText(about, own.about);
    setText(learn, own.learn);
    text.placeholder = own.example;
  };
  describe();
  const details = make(
    "details",
    {},
    make("summary", {}, "Pairs or texts of your own"),
    make("div", { class: "buttons" }, make("label", { for: learned.id }, "it learns"), learned),
    about,
    text,
    problem,
    make(
      "div",
      { class: "buttons" },
      make("label", { for: unit.id }, "a token is one of its"),
      unit,
      learn,
      button("Open a file…", () => file.click()),
      file,
    ),
  );

  function show() {
    const { value, options, problem: sentence } = model;
    const key = JSON.stringify(options);
    if (choice.dataset.key !== key) {
      choice.dataset.key = key;
      choice.replaceChildren(
        ...options.map(([name, label]) => make("option", { value: name }, label)),
      );
    }
    choice.value = value;
    setText(note, model.note);
    refuse(sentence);
    setAttribute(text, "aria-invalid", sentence ? "true" : null);
    if (sentence) details.open = true;
  }

  const later = oncePerFrame(show);
  for (const name of ["value", "options", "note", "problem"]) model.on(name, later);
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control source" },
      make("h2", {}, "What it learns"),
      make("div", { class: "pick" }, make("label", { for: choice.id }, "Data"), choice, note),
      details,
    ),
  );
}
