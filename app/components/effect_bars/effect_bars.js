/** What becomes of a word's probability without one thing after another: bars to press. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} EffectRow
 * @property {string} label what is left out
 * @property {number} probability of the answer without it, 0 … 1
 * @property {string} change both probabilities in words
 * @property {string} writes what is written without it
 * @property {boolean} is_other whether that is something else than with it
 * @property {boolean | null} is_out whether it is left out on the page; null: a press goes there
 * @property {string} does what a press does
 *
 * @typedef {{label: string, conclusion: string, now: number}} Head
 *
 * @typedef {object} Properties
 * @property {EffectRow[]} rows
 * @property {Head} head
 *
 * @typedef {{li: HTMLElement, button: HTMLElement, name: HTMLElement, fill: HTMLElement,
 *   now: HTMLElement, change: HTMLElement, writes: HTMLElement}} Line
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const conclusion = make("p", { class: "conclusion" });
  const list = make("ul");
  const node = make("div", { class: "control effect-bars" }, conclusion, list);
  /** @type {Line[]} */
  const lines = [];

  /** @param {number} k @returns {Line} */
  function lineOf(k) {
    const name = make("span", { class: "name" });
    const fill = make("i", { class: "fill" });
    const now = make("i", { class: "now" });
    const change = make("span", { class: "change" });
    const writes = make("span", { class: "writes" });
    const button = make(
      "button",
      {
        type: "button",
        class: "effect",
        onclick: () => model.send_msg({ type: "press", row: k }),
      },
      name,
      make("span", { class: "track", "aria-hidden": "true" }, fill, now),
      change,
      writes,
    );
    const li = make("li", {}, button);
    list.append(li);
    return { li, button, name, fill, now, change, writes };
  }

  /** @param {Line} line @param {EffectRow} row @param {number} now */
  function fill(line, row, now) {
    setText(line.name, row.label);
    line.fill.style.width = `${100 * row.probability}%`;
    line.now.style.left = `${100 * now}%`;
    setText(line.change, row.change);
    setText(line.writes, row.writes);
    line.writes.classList.toggle("other", row.is_other);
    const said = `${row.does}: ${row.change}, ${row.writes}`;
    setAttribute(line.button, "aria-label", said);
    setAttribute(line.button, "title", row.does);
    if (row.is_out === null) line.button.removeAttribute("aria-pressed");
    else setAttribute(line.button, "aria-pressed", String(row.is_out));
  }

  function show() {
    const { rows, head } = model;
    if (!head.label) return; // nothing has been measured yet
    setText(conclusion, head.conclusion);
    setAttribute(list, "aria-label", head.label);
    while (lines.length < rows.length) lines.push(lineOf(lines.length));
    for (const { li } of lines.splice(rows.length)) li.remove();
    rows.forEach((row, k) => {
      fill(lines[k], row, head.now);
    });
  }

  const later = oncePerFrame(show);
  model.on("rows", later);
  model.on("head", later);
  show();
  return asControl(model, node);
}
