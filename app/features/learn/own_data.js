/**
 * Shows the dialog for the user's own pairs or texts, which are pasted, dropped, opened from files
 * or typed into a table. The dialog reports the rows that were read, and starts the training.
 */

import { drawnDialog, Outcome } from "../../components/shared/dialog.js";
import { acceptDrops } from "../../components/shared/drops.js";
import { megabytes, Questions } from "../../components/shared/files.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { optionsOf } from "../../components/shared/template.js";
import { byTouch } from "../../components/shared/touch.js";
import { OwnTable } from "./own_table.js";

/**
 * @import {Model} from "../../components/shared/model.js"
 *
 * @typedef {object} Draft
 * @property {string} learned the task that the model learns from the rows
 * @property {string} unit
 * @property {string[]} columns the names of the columns
 * @property {string[][]} rows the first rows
 * @property {string[]} places the names of these rows, and of the empty rows after them
 * @property {Record<string, string>} faults by a row's index, the reason why it cannot be learned
 * @property {number} count the number of all rows
 * @property {string[]} report
 * @property {string} problem the reason why nothing can be learned
 * @property {string} frequent label of the button that keeps the most frequent words
 * @property {string} train label of the button that starts the training
 * @property {string} about a description of the model to be trained
 * @property {string} encoding the codec, if the bytes are valid in several
 * @property {[name: string, label: string][]} encodings @property {boolean} can_undo
 *
 * @typedef {object} OwnDataProperties
 * @property {Draft | {}} draft
 * @property {boolean} wanted whether the page requests the dialog
 * @property {number} limit the most bytes that are read of a file
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

/**
 * Returns a file, or only the first complete lines of a file that is too large.
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
    /** Files that contain no data. @type {File[]} */
    this.others = [];
    const { dialog, show } = drawnDialog("own-title", () => this.template());
    dialog.classList.add("own-data");
    this.dialog = dialog;
    this.draw = show;
    const signal = untilRemoved(model);
    acceptDrops(dialog, (files) => this.read(files), signal);
    dialog.addEventListener("paste", (event) => this.pasted(event));
    onChange(model, ["draft"], () => this.show());
    model.on("wanted", () => this.openIfWanted());
    this.show();
    requestAnimationFrame(() => this.openIfWanted());
  }

  template() {
    /** @type {Partial<Draft>} */
    const draft = this.model.draft;
    const { learned = "own", report = [], frequent } = draft;
    const isPairs = learned === "own";
    const choose = () =>
      /** @type {HTMLElement} */ (this.dialog.querySelector(".own-files")).click();
    const chosen = (/** @type {Event} */ event) => {
      const chooser = /** @type {HTMLInputElement} */ (event.currentTarget);
      this.read([...(chooser.files ?? [])]);
      chooser.value = ""; // so that choosing the same file again fires an event
    };
    const train = (/** @type {Event} */ { currentTarget }) =>
      this.outcome.attempt(/** @type {Element} */ (currentTarget), () => this.begin());
    return {
      title: `Train on your own ${isPairs ? "pairs" : "texts"}`,
      body: html`<div class="line"><p class="what">${HOW}</p><button type="button" class="button"
          @click=${choose}>Choose a file…</button><input type="file" class="own-files"
          accept=${FILES} multiple hidden @change=${chosen}></div>
        ${this.table.node}
        <div class="choices">
          ${this.select("learned", "Task:", LEARNED)}${this.select("unit", "Unit:", UNITS)}
          <span class="choice" ?hidden=${!draft.encoding}
            >${this.select("encoding", "read as", draft.encodings)}</span>
          ${isPairs ? this.press("Swap", "swap") : nothing}
          ${this.press("Undo", "undo", !draft.can_undo)}${this.press("Clear", "clear")}
        </div>
        <div class="report" role="status"><ul>${report.map((said) => html`<li>${said}</li>`)}</ul
        ></div>
        <p class="problem" role="status">${draft.problem}</p>
        ${frequent ? this.press(frequent, "frequent") : nothing}`,
      foot: html`<div class="begin"><button type="button" class="button primary" @click=${train}
          >${draft.train}</button><p class="message">${draft.about}</p></div>
        ${this.outcome.node}
        <button type="button" class="button" ?hidden=${!this.others.length}
          @click=${() => this.openElsewhere()}>Open it</button>`,
    };
  }

  /**
   * Returns a drop-down for a setting of the draft.
   * @param {string} name @param {string} label @param {[value: string, label: string][]} [choices]
   */
  select(name, label, choices = []) {
    const change = (/** @type {Event} */ { currentTarget }) => {
      const { value } = /** @type {HTMLSelectElement} */ (currentTarget);
      this.ask({ type: "choose", name, value });
    };
    return html`<label for="own-${name}">${label}</label><select id="own-${name}"
      @change=${change}>${optionsOf(choices)}</select>`;
  }

  /**
   * Returns a button that changes the draft.
   * @param {string} label @param {string} name @param {boolean} [isOff]
   */
  press(label, name, isOff = false) {
    return html`<button type="button" class="button" ?disabled=${isOff}
      @click=${() => this.ask({ type: "press", name })}>${label}</button>`;
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

  /** Sends a change of the draft; shows a sentence if it is refused. @param {object} message */
  async ask(message) {
    try {
      await this.questions.ask(message);
      this.outcome.say("");
    } catch (error) {
      this.outcome.say(error instanceof Error ? error.message : String(error), true);
      this.show(); // restore refused choices
    }
  }

  /** Reads pasted files and rows; the field gets any other text. @param {ClipboardEvent} event */
  pasted(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length === 0 && !/[\t\n\r]/.test(text.trim())) return;
    event.preventDefault();
    if (files.length > 0) this.read(files);
    else this.read([new File([text], "")], this.table.focusedRow());
  }

  /**
   * Reads files, or a text that was pasted into the table at a row.
   * @param {File[]} files @param {number | null} row null: all rows are replaced
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

  /** Offers to open files that contain no data, such as a model. @param {File[]} files */
  offer(files) {
    this.others = files;
    this.draw();
  }

  /** Lets the page open the files as if they had been dropped on it. */
  openElsewhere() {
    const files = this.others;
    this.offer([]);
    this.dialog.close();
    document.dispatchEvent(new CustomEvent("tinkerformer:files", { detail: files }));
  }

  /** @throws {Error} if training cannot start for a reason other than the draft's problem */
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
    this.draw();
    // Reset a refused choice to that of the draft.
    for (const name of /** @type {const} */ (["learned", "unit", "encoding"])) {
      const select = this.dialog.querySelector(`#own-${name}`);
      /** @type {HTMLSelectElement} */ (select).value = draft[name];
    }
  }
}
