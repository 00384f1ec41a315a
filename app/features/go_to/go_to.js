/**
 * Shows a dialog for typing the name of a matrix or a control: a combobox, whose listbox has the
 * matches. Enter moves the keyboard focus to the first cell of the chosen matrix, or to the chosen
 * control.
 */

import { nameOf } from "../../components/shared/cell_name.js";
import { asControl } from "../../components/shared/control.js";
import { drawnDialog, Outcome } from "../../components/shared/dialog.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onMessage, untilRemoved } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";
import { isTyping } from "../../components/shared/typing.js";
import { controlsIn, fits, goToControl, named } from "./controls.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Control} from "./controls.js"
 *
 * @typedef {{path: string, symbol: string, place: string}} Named
 * @typedef {{type: "found", text: string, matrices: Named[]}} Found
 * @typedef {{name: unknown, place: string, isOff?: boolean, run: () => void}} Goal
 */

const MOST = 8; // the largest number of controls in the list
const SYMBOL = 2; // letters; a text this short is more likely a symbol than the start of a name

/** @param {Component<unknown>} component */
export function render({ model }) {
  const finder = new Finder((text) => model.send_msg({ type: "find", text }));
  onMessage(model, (/** @type {Found} */ found) => finder.take(found));
  const signal = untilRemoved(model);
  document.addEventListener("tinkerformer:ask-matrix", () => finder.open(), { signal });
  const run = (/** @type {Event} */ event) => (isTyping(event) ? false : finder.open());
  const does = "go to a matrix, such as Q, or to a control";
  bindKeys(document, "Anywhere", [{ keys: ["G"], does, run }], { signal });
  return asControl(model, drawn(() => html`<div class="control">${finder.dialog}</div>`).node);
}

class Finder {
  /** @param {(text: string) => void} ask requests the matrices that match a text from Python */
  constructor(ask) {
    this.ask = ask;
    this.controls = /** @type {Control[]} */ ([]); // of the page when the dialog opened
    this.goals = /** @type {Goal[]} */ ([]);
    this.active = 0;
    /** The text for which `goals` were found; Enter waits until this is the typed text. */
    this.foundFor = /** @type {string | null} */ (null);
    this.isAwaited = false;
    this.known = /** @type {Named[]} */ ([]); // the matrices of the last answer
    this.none = "";
    const outcome = new Outcome();
    const { dialog, show } = drawnDialog("go-to-title", () => ({
      title: "Go to a matrix or a control",
      body: this.body(),
      foot: outcome.node,
    }));
    this.dialog = dialog;
    this.show = show;
    this.input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
    bindKeys(this.input, "In the dialog", [
      { keys: ["ArrowDown"], does: "the next one", run: () => this.step(1) },
      { keys: ["ArrowUp"], does: "the one before", run: () => this.step(-1) },
      { keys: ["Enter"], does: "goes there", run: () => this.enter() },
    ]);
  }

  body() {
    return html`<input type="text" role="combobox" aria-label="Name of a matrix or a control"
        aria-controls="matrices" aria-expanded="true" aria-autocomplete="list" autocomplete="off"
        autocapitalize="off" spellcheck="false" placeholder="Q, W^O, decoder scores, dropout …"
        aria-activedescendant=${this.goals.length ? `matrix-${this.active}` : nothing}
        @input=${() => this.find()}>
      <ul id="matrices" class="options" role="listbox" aria-label="Matrices and controls"
        @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}
        >${this.goals.map((goal, at) => this.option(goal, at))}</ul>
      <p class="nothing" role="status">${this.none}</p>`;
  }

  /** @param {Goal} goal @param {number} at */
  option({ name, place, isOff }, at) {
    return html`<li role="option" id="matrix-${at}" aria-selected=${at === this.active}
      aria-disabled=${isOff || nothing} @click=${() => this.go(at)}
      ><span class="symbol">${name}</span><span class="place">${place}</span></li>`;
  }

  open() {
    if (this.dialog.open) return;
    this.input.value = "";
    this.foundFor = null;
    this.controls = controlsIn(document.body);
    this.find();
    this.dialog.showModal();
    this.input.focus();
  }

  find() {
    this.isAwaited = false;
    const text = this.input.value;
    this.ask(text);
    // Until Python answers, show the matching controls, and the matches in Python's last answer.
    const matrices = this.known.filter(({ path, symbol, place }) =>
      fits(text, `${path} ${symbol} ${place}`),
    );
    this.goals = this.goalsOf({ type: "found", text, matrices });
    this.none = "";
    this.point(0);
  }

  /** @param {Found} found */
  take(found) {
    if (found.type !== "found" || found.text !== this.input.value) return;
    this.foundFor = found.text;
    this.known = found.matrices;
    this.goals = this.goalsOf(found);
    this.none = this.goals.length
      ? ""
      : "No matrix of this model and no control of the page has that name.";
    this.point(0);
    if (this.isAwaited) this.enter();
  }

  /** Returns the matches, best first. @param {Found} found @returns {Goal[]} */
  goalsOf({ text, matrices }) {
    const ways = named(this.controls, text).slice(0, MOST);
    const control = (/** @type {Control} */ each) => ({ ...each, run: () => goToControl(each) });
    const matrix = (/** @type {Named} */ { path, symbol, place }) => ({
      ...{ name: nameOf(symbol), place, run: () => window.tinkerformer?.walk(path) },
    });
    const isFirst = text.trim().length > SYMBOL;
    return [
      ...ways.filter((each) => isFirst && each.isFirst).map(control),
      ...matrices.map(matrix),
      ...ways.filter((each) => !isFirst || !each.isFirst).map(control),
    ];
  }

  /** @param {number} at */
  point(at) {
    this.active = at;
    this.show();
    this.dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} by */
  step(by) {
    const { length } = this.goals;
    if (length) this.point((this.active + by + length) % length);
  }

  enter() {
    this.isAwaited = this.foundFor !== this.input.value;
    if (!this.isAwaited) this.go(this.active);
  }

  /** @param {number} at */
  go(at) {
    const chosen = this.goals[at];
    if (!chosen || chosen.isOff) return;
    this.dialog.close();
    chosen.run();
  }
}
