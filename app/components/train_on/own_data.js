/**
 * The dialog in which pairs or texts of the user's own are pasted, dropped, opened from files or
 * typed into a table; it reports what was read, and starts the training.
 */

import { makeDialog, Outcome } from "../shared/dialog.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { acceptDrops } from "../shared/drops.js";
import { megabytes, Questions } from "../shared/files.js";
import { byTouch } from "../shared/touch.js";
import { OwnTable } from "./own_table.js";

/**
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} Draft
 * @property {string} learned what is learned of the rows
 * @property {string} unit
 * @property {string[]} columns the names of the columns
 * @property {string[][]} rows the first rows
 * @property {string[]} places the names of these rows, and of the empty ones after them
 * @property {Record<string, string>} faults why some of these cannot be learned, by their index
 * @property {number} count the number of all rows
 * @property {string[]} report
 * @property {string} problem why nothing can be learned
 * @property {string} frequent label of the button that keeps the most frequent words
 * @property {string} train label of the button that begins the training
 * @property {string} about what is trained
 * @property {string} encoding the codec, if the bytes could be text in others, too
 * @property {[name: string, label: string][]} encodings
 * @property {boolean} can_undo
 *
 * @typedef {object} OwnDataProperties
 * @property {Draft | {}} draft
 * @property {boolean} wanted whether the page opens the dialog
 * @property {number} limit the most that is read of a file, in bytes
 */

const HOW = "Paste rows, drop a file here, choose one, or type.";
const FILES = ".csv,.tsv,.txt,.json,.jsonl";
/** @type {[name: string, label: string][]} */
const LEARNED = [
  ["own", "pairs: translate"],
  ["own-next-word", "texts: the next word"],
  ["own-blanks", "texts: fill in the blank"],
];
/** @type {[name: string, label: string][]} */
const UNITS = [
  ["word", "words"],
  ["character", "characters"],
];

/** @param {[name: string, label: string][]} choices */
const optionsOf = (choices) => choices.map(([value, label]) => make("option", { value }, label));

/**
 * The beginning of a file up to the end of a line, if it is too large to be read.
 * @param {File} file @param {number} limit in bytes
 */
async function beginningOf(file, limit) {
  if (file.size <= limit) return file;
  const bytes = new Uint8Array(await file.slice(0, limit).arrayBuffer());
  return new File([bytes.subarray(0, bytes.lastIndexOf(10) + 1)], file.name);
}

export class OwnData {
  /** @param {Model<OwnDataProperties>} model */
  constructor(model) {
    this.model = model;
    this.questions = new Questions(model);
    this.outcome = new Outcome();
    this.table = new OwnTable((message) => this.ask(message));
    this.learned = this.select("own-learned", "learned", LEARNED);
    this.unit = this.select("own-unit", "unit", UNITS);
    this.encoding = this.select("own-encoding", "encoding", []);
    this.encodingLine = make(
      "span",
      { class: "choice" },
      make("label", { for: this.encoding.id }, "read as"),
      this.encoding,
    );
    this.report = make("ul");
    this.problem = make("p", { class: "problem", role: "status" });
    this.about = make("p", { class: "message" });
    this.swap = this.press("Swap", "swap");
    this.undo = this.press("Undo", "undo");
    this.frequent = this.press("", "frequent");
    this.train = make("button", { type: "button", class: "button primary" });
    this.train.addEventListener("click", () =>
      this.outcome.attempt(this.train, () => this.begin()),
    );
    this.elsewhere = make("button", { type: "button", class: "button", hidden: true }, "Open it");
    this.elsewhere.addEventListener("click", () => this.openElsewhere());
    /** Files that are no data. @type {File[]} */
    this.others = [];
    this.dialog = this.build();
    const later = oncePerFrame(() => this.show());
    model.on("draft", later);
    model.on("wanted", () => this.openIfWanted());
    this.show();
    requestAnimationFrame(() => this.openIfWanted());
  }

  build() {
    const chooser = make("input", {
      type: "file",
      class: "own-files",
      accept: FILES,
      multiple: true,
      hidden: true,
      onchange: () => {
        this.read([...(chooser.files ?? [])]);
        chooser.value = ""; // so that choosing the same file again fires an event
      },
    });
    const choose = make(
      "button",
      { type: "button", class: "button", onclick: () => chooser.click() },
      "Choose a file…",
    );
    const dialog = makeDialog(
      "own-title",
      "Train on your own pairs",
      this.outcome,
      make("div", { class: "line" }, make("p", { class: "what" }, HOW), choose, chooser),
      this.table.node,
      make(
        "div",
        { class: "choices" },
        make("label", { for: this.learned.id }, "learn"),
        this.learned,
        make("label", { for: this.unit.id }, "by"),
        this.unit,
        this.encodingLine,
        this.swap,
        this.undo,
        this.press("Clear", "clear"),
      ),
      make("div", { class: "report", role: "status" }, this.report),
      this.problem,
      this.frequent,
    );
    dialog.classList.add("own-data");
    this.title = dialog.querySelector("h2");
    dialog.querySelector(".foot")?.prepend(make("div", { class: "begin" }, this.train, this.about));
    dialog.querySelector(".foot")?.append(this.elsewhere);
    const listening = new AbortController();
    acceptDrops(dialog, (files) => this.read(files), listening.signal);
    this.model.on("remove", () => listening.abort());
    dialog.addEventListener("paste", (event) => this.pasted(event));
    return dialog;
  }

  /**
   * A choice of the draft.
   * @param {string} id @param {string} name @param {[name: string, label: string][]} choices
   */
  select(id, name, choices) {
    const select = make("select", { id }, ...optionsOf(choices));
    select.addEventListener("change", () =>
      this.ask({ type: "choose", name, value: select.value }),
    );
    return select;
  }

  /** A button that changes the draft. @param {string} label @param {string} name */
  press(label, name) {
    const onclick = () => this.ask({ type: "press", name });
    return make("button", { type: "button", class: "button", onclick }, label);
  }

  openIfWanted() {
    if (this.model.wanted && this.dialog.isConnected) this.open();
  }

  open() {
    if (this.dialog.open) return;
    this.outcome.say("");
    this.offer([]);
    this.dialog.showModal();
    if (!byTouch()) this.table.focus();
    this.ask({ type: "ask" });
  }

  /** Changes the draft; a sentence is shown if it is refused. @param {object} message */
  async ask(message) {
    try {
      await this.questions.ask(message);
      this.outcome.say("");
    } catch (error) {
      this.outcome.say(error instanceof Error ? error.message : String(error), true);
      this.show(); // choices that were refused
    }
  }

  /**
   * Text of several rows or cells is a table; other text goes into the cell.
   * @param {ClipboardEvent} event
   */
  pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length === 0 && !/[\t\n\r]/.test(text.trim())) return;
    event.preventDefault();
    if (files.length > 0) this.read(files);
    else this.read([new File([text], "")], this.table.focusedRow());
  }

  /**
   * Reads files, or a pasted text into the table from a row on.
   * @param {File[]} files @param {number | null} row null if it replaces all rows
   */
  async read(files, row = null) {
    const { limit } = this.model;
    const share = limit / Math.max(1, files.length);
    this.offer([]);
    try {
      for (const [at, file] of files.entries()) {
        if (file.name) this.outcome.say(`Reading ${file.name} …`);
        await this.questions.send(await beginningOf(file, share), at === 0);
      }
      /** @type {{elsewhere?: string}} */
      const { elsewhere } = await this.questions.ask({ type: "open", row });
      if (elsewhere) {
        this.outcome.say(elsewhere, true);
        this.offer(files);
        return;
      }
      const long = files.find(({ size }) => size > share);
      const size = long && `${long.name} (${megabytes(long.size)} MB)`;
      this.outcome.say(long ? `Only the first ${share >> 20} MB of ${size} were read.` : "");
    } catch (error) {
      this.outcome.say(error instanceof Error ? error.message : String(error), true);
    }
  }

  /** Offers to open files that are no data, such as a model. @param {File[]} files */
  offer(files) {
    this.others = files;
    this.elsewhere.hidden = files.length === 0;
  }

  /** Has the page open the files as if they were dropped on it. */
  openElsewhere() {
    const files = this.others;
    this.offer([]);
    this.dialog.close();
    document.dispatchEvent(new CustomEvent("tinkerformer:files", { detail: files }));
  }

  /** @throws {Error} it cannot begin, for another reason than the problem that the dialog shows */
  async begin() {
    try {
      await this.questions.ask({ type: "train" }, false);
    } catch (error) {
      const { draft } = this.model;
      if ("problem" in draft && error instanceof Error && error.message === draft.problem)
        return "";
      throw error;
    }
    this.dialog.close();
    return "";
  }

  show() {
    const { draft } = this.model;
    if (!("rows" in draft)) return;
    this.table.show(draft);
    const isPairs = draft.learned === "own";
    this.swap.hidden = !isPairs;
    if (this.title) setText(this.title, `Train on your own ${isPairs ? "pairs" : "texts"}`);
    this.learned.value = draft.learned;
    this.unit.value = draft.unit;
    this.encodingLine.hidden = !draft.encoding;
    if (this.encoding.options.length === 0) this.encoding.append(...optionsOf(draft.encodings));
    this.encoding.value = draft.encoding;
    this.undo.disabled = !draft.can_undo;
    this.report.replaceChildren(...draft.report.map((said) => make("li", {}, said)));
    setText(this.problem, draft.problem);
    setText(this.frequent, draft.frequent);
    this.frequent.hidden = !draft.frequent;
    setText(this.train, draft.train);
    setText(this.about, draft.about);
  }
}
