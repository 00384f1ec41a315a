/**
 * Says what the board shows in place of values, with a way back and the cells where it is largest.
 * Beside gradients it takes steps along them.
 */

import { nameNode } from "../shared/cell_name.js";
import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";
import { shortText } from "../shared/number_format.js";
import { DescentStep } from "./descent_step.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 * @import {RateField, Taught} from "./descent_step.js"
 *
 * @typedef {object} LargestCell
 * @property {string} what among which it is the largest
 * @property {string} path @property {number} i @property {number} j
 * @property {string} name symbol, row and column
 * @property {string} place the matrix, in words
 * @property {string} where row and column in words
 * @property {number} value
 *
 * @typedef {{value: string, meaning: string, cells: LargestCell[], nothing: string,
 *   rate: RateField | null, stepped: string[]} & Taught} Properties
 */

const NAMES = /** @type {const} */ ([
  "value",
  "meaning",
  "cells",
  "nothing",
  "rate",
  "stepped",
  "right",
  "known",
  "teaches",
  "can_write",
  "problem",
]);

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const badge = make("strong", { class: "plane-badge" });
  const back = make(
    "button",
    { type: "button", class: "button", onclick: () => model.send_msg({ type: "back" }) },
    "Back to values",
  );
  const meaning = make("p", { class: "plane-meaning" });
  const cells = make("ul", { role: "list", class: "plane-cells" });
  const nothing = make("span", { class: "plane-nothing" });
  const step = new DescentStep((message) => model.send_msg(message));
  const buttons = /** @type {LargestButton[]} */ ([]);
  /** @param {LargestCell} cell */
  const go = ({ path, i, j }) => {
    model.send_msg({ type: "go" });
    window.tinkerformer?.show(path, i, j);
  };

  const line = make(
    "section",
    { class: "control plane-line", "aria-label": "What is shown in place of values" },
    badge,
    back,
    meaning,
    step.el,
    cells,
    nothing,
  );

  function show() {
    const teaches = model.stepped.length > 0 || model.right.some(({ writes }) => writes);
    line.classList.toggle("teaches-words", teaches);
    line.classList.toggle("has-words", model.right.length > 0);
    setText(badge, model.value);
    setText(meaning, model.meaning);
    meaning.hidden = !model.meaning;
    step.show(model.rate, model, model.stepped, model.problem);
    setText(nothing, model.cells.length ? "" : model.nothing);
    // Reuse the buttons, since one may have the focus while the numbers move.
    while (buttons.length < model.cells.length) {
      const button = new LargestButton(go);
      buttons.push(button);
      cells.append(button.node);
    }
    for (const { node } of buttons.splice(model.cells.length)) node.remove();
    for (const [at, button] of buttons.entries()) button.show(model.cells[at]);
  }

  const later = oncePerFrame(show);
  for (const name of NAMES) model.on(name, later);
  show();
  return asControl(model, line);
}

/** A button that goes to one of the largest cells. */
class LargestButton {
  /** @param {(cell: LargestCell) => void} go */
  constructor(go) {
    this.cell = /** @type {LargestCell | null} */ (null);
    this.what = make("span", { class: "plane-what" });
    this.name = make("span", { class: "plane-name" });
    this.named = "";
    this.number = make("span", { class: "plane-number" });
    this.place = make("span", { class: "plane-place" });
    this.button = make(
      "button",
      {
        type: "button",
        class: "button",
        onclick: () => {
          if (this.cell) go(this.cell);
        },
      },
      this.name,
      this.number,
      this.place,
    );
    this.node = make("li", {}, this.what, this.button);
  }

  /** @param {LargestCell} cell */
  show(cell) {
    this.cell = cell;
    const number = shortText(cell.value);
    setText(this.what, `${cell.what}:`);
    if (this.named !== cell.name) this.name.replaceChildren(nameNode(cell.name));
    this.named = cell.name;
    setText(this.number, number);
    setText(this.place, cell.place);
    const all = `${cell.name} = ${number}: ${cell.place}, ${cell.where}`;
    this.button.title = `${all}. Go there.`;
    this.button.setAttribute("aria-label", `${cell.what}: ${all}. Go there.`);
  }
}
