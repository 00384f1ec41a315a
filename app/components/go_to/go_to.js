/**
 * A dialog in which the name of a matrix is typed, with the matrices of that name below: a combobox
 * and its listbox. Enter takes the keyboard to the first cell of the chosen one.
 */

import { asControl } from "../shared/control.js";
import { drawnDialog, Outcome } from "../shared/dialog.js";
import { bindKeys } from "../shared/keys.js";
import { html, nothing } from "../shared/lit-html.js";
import { onMessage, untilRemoved } from "../shared/model.js";
import { drawn } from "../shared/template.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{path: string, symbol: string, place: string}} Named
 * @typedef {{type: "found", text: string, matrices: Named[]}} Found
 */

/** @param {{model: Model<ControlProperties>}} component */
export function render({ model }) {
  let matrices = /** @type {Named[]} */ ([]);
  let active = 0;
  /** The text that the matrices are for; Enter waits for those of what is typed. */
  let foundFor = /** @type {string | null} */ (null);
  let isAwaited = false;

  const outcome = new Outcome();
  let none = "";
  const { dialog, show } = drawnDialog("go-to-title", () => ({
    title: "Go to a matrix",
    body: html`<input type="text" role="combobox" aria-label="Name of a matrix"
        aria-controls="matrices" aria-expanded="true" aria-autocomplete="list" autocomplete="off"
        autocapitalize="off" spellcheck="false" placeholder="Q, W^O, logits, decoder scores …"
        aria-activedescendant=${matrices.length ? `matrix-${active}` : nothing} @input=${find}>
      <ul id="matrices" class="options" role="listbox" aria-label="Matrices"
        @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}
        >${matrices.map(
          ({ symbol, place }, at) => html`<li role="option" id="matrix-${at}"
            aria-selected=${at === active} @click=${() => go(at)}
            ><span class="symbol">${symbol}</span><span class="place">${place}</span></li>`,
        )}</ul>
      <p class="nothing" role="status">${none}</p>`,
    foot: outcome.node,
  }));
  const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));

  function find() {
    isAwaited = false;
    model.send_msg({ type: "find", text: input.value });
  }
  const open = () => {
    if (dialog.open) return;
    input.value = "";
    foundFor = null;
    find();
    dialog.showModal();
    input.focus();
  };
  /** @param {number} at */
  const go = (at) => {
    const chosen = matrices[at];
    if (!chosen) return;
    dialog.close();
    window.tinkerformer?.walk(chosen.path);
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
    const { length } = matrices;
    if (length) point((active + by + length) % length);
  };
  bindKeys(input, "In the dialog", [
    { keys: ["ArrowDown"], does: "the next matrix", run: step(1) },
    { keys: ["ArrowUp"], does: "the matrix before", run: step(-1) },
    { keys: ["Enter"], does: "goes there", run: enter },
  ]);

  onMessage(model, (/** @type {Found} */ found) => {
    if (found.type !== "found" || found.text !== input.value) return;
    foundFor = found.text;
    matrices = found.matrices;
    none = matrices.length ? "" : "No matrix of this model has that name.";
    point(0);
    if (isAwaited) enter();
  });

  const signal = untilRemoved(model);
  document.addEventListener("tinkerformer:ask-matrix", open, { signal });
  return asControl(model, drawn(() => html`<div class="control">${dialog}</div>`).node);
}
