/**
 * A dialog for typing the name of a matrix or a control: a combobox with the matches in its
 * listbox. Enter moves the keyboard focus to the first cell of the chosen matrix, or to the chosen
 * control.
 */

import { asControl } from "../../components/shared/control.js";
import { drawnDialog, Outcome } from "../../components/shared/dialog.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { onMessage, untilRemoved } from "../../components/shared/model.js";
import { drawn } from "../../components/shared/template.js";
import { isTyping } from "../../components/shared/typing.js";
import { controlsIn, fits, goToControl, named } from "./controls.js";

/**
 * @import {ControlProperties} from "../../components/shared/control.js"
 * @import {Model} from "../../components/shared/model.js"
 * @import {Control} from "./controls.js"
 *
 * @typedef {{path: string, symbol: string, place: string}} Named
 * @typedef {{type: "found", text: string, matrices: Named[]}} Found
 * @typedef {{name: string, place: string, isOff?: boolean, run: () => void}} Goal
 */

const MOST = 8; // the largest number of controls in the list
const SYMBOL = 2; // letters; a text this short is more likely a symbol than the start of a name

/** @param {{model: Model<ControlProperties>}} component */
export function render({ model }) {
  let controls = /** @type {Control[]} */ ([]); // all controls of the page when the dialog opened
  let goals = /** @type {Goal[]} */ ([]);
  let active = 0;
  /** The text for which `goals` were found; Enter waits until they match the typed text. */
  let foundFor = /** @type {string | null} */ (null);
  let isAwaited = false;
  let known = /** @type {Named[]} */ ([]); // the matrices of the last answer

  const outcome = new Outcome();
  let none = "";
  const { dialog, show } = drawnDialog("go-to-title", () => ({
    title: "Go to a matrix or a control",
    body: html`<input type="text" role="combobox" aria-label="Name of a matrix or a control"
        aria-controls="matrices" aria-expanded="true" aria-autocomplete="list" autocomplete="off"
        autocapitalize="off" spellcheck="false" placeholder="Q, W^O, decoder scores, dropout …"
        aria-activedescendant=${goals.length ? `matrix-${active}` : nothing} @input=${find}>
      <ul id="matrices" class="options" role="listbox" aria-label="Matrices and controls"
        @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}
        >${goals.map(
          ({ name, place, isOff }, at) => html`<li role="option" id="matrix-${at}"
            aria-selected=${at === active} aria-disabled=${isOff || nothing} @click=${() => go(at)}
            ><span class="symbol">${name}</span><span class="place">${place}</span></li>`,
        )}</ul>
      <p class="nothing" role="status">${none}</p>`,
    foot: outcome.node,
  }));
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));

  function find() {
    isAwaited = false;
    const text = input.value;
    model.send_msg({ type: "find", text });
    // Until Python answers, show the matching controls and the matches in the last answer.
    const matrices = known.filter(({ path, symbol, place }) =>
      fits(text, `${path} ${symbol} ${place}`),
    );
    goals = goalsOf({ type: "found", text, matrices });
    none = "";
    point(0);
  }
  const open = () => {
    if (dialog.open) return;
    input.value = "";
    foundFor = null;
    controls = controlsIn(document.body);
    find();
    dialog.showModal();
    input.focus();
  };
  /** @param {number} at */
  const go = (at) => {
    const chosen = goals[at];
    if (!chosen || chosen.isOff) return;
    dialog.close();
    chosen.run();
  };
  /**
   * The matrices and controls that match a text, best match first.
   * @param {Found} found
   */
  const goalsOf = ({ text, matrices }) => {
    const ways = named(controls, text).slice(0, MOST);
    const control = (/** @type {Control} */ each) => ({ ...each, run: () => goToControl(each) });
    const matrix = (/** @type {Named} */ { path, symbol, place }) => ({
      ...{ name: symbol, place, run: () => window.tinkerformer?.walk(path) },
    });
    const isFirst = text.trim().length > SYMBOL;
    return [
      ...ways.filter((each) => isFirst && each.isFirst).map(control),
      ...matrices.map(matrix),
      ...ways.filter((each) => !isFirst || !each.isFirst).map(control),
    ];
  };
  const enter = () => {
    isAwaited = foundFor !== input.value;
    if (!isAwaited) go(active);
  };
  /** @param {number} at */
  const point = (at) => {
    active = at;
    show();
    dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  };
  /** @param {number} by */
  const step = (by) => () => {
    const { length } = goals;
    if (length) point((active + by + length) % length);
  };
  bindKeys(input, "In the dialog", [
    { keys: ["ArrowDown"], does: "the next one", run: step(1) },
    { keys: ["ArrowUp"], does: "the one before", run: step(-1) },
    { keys: ["Enter"], does: "goes there", run: enter },
  ]);

  onMessage(model, (/** @type {Found} */ found) => {
    if (found.type !== "found" || found.text !== input.value) return;
    foundFor = found.text;
    known = found.matrices;
    goals = goalsOf(found);
    none = goals.length ? "" : "No matrix of this model and no control of the page has that name.";
    point(0);
    if (isAwaited) enter();
  });

  const signal = untilRemoved(model);
  document.addEventListener("tinkerformer:ask-matrix", open, { signal });
  const run = (/** @type {Event} */ event) => (isTyping(event) ? false : open());
  const does = "go to a matrix, such as Q, or to a control";
  bindKeys(document, "Anywhere", [{ keys: ["G"], does, run }], { signal });
  return asControl(model, drawn(() => html`<div class="control">${dialog}</div>`).node);
}
