/** A table of heads or hidden units: the model without each, and a switch that silences it. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {object} HeadRow
 * @property {string} label
 * @property {string} right
 * @property {string} right_change
 * @property {number} share of all predictions that become wrong without the part
 * @property {string} probability
 * @property {string} change
 * @property {number} fall how far the probability falls, 0 … 1
 * @property {string} writes the word that is written without the part
 * @property {boolean} is_other whether that is another word than with it
 * @property {string} reads the word that the head looks at most; empty for none
 * @property {boolean} silent
 *
 * @typedef {{label: string, conclusion: string, part: string, right: string, probability: string,
 *   writes: string, reads: string, now: string, right_now: string, probability_now: string,
 *   writes_now: string}} Head titles, and the line of all as it is; empty without its column
 *
 * @typedef {object} Properties
 * @property {HeadRow[]} rows
 * @property {Head} head
 *
 * @typedef {{tr: HTMLElement, name: HTMLElement, right: HTMLElement, lost: HTMLElement, bar:
 *   HTMLElement, text: HTMLElement, probability: HTMLElement, change: HTMLElement, fall:
 *   HTMLElement, fell: HTMLElement, writes: HTMLElement, reads: HTMLElement, button:
 *   HTMLButtonElement}} Line
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const head = make("thead");
  const body = make("tbody");
  const table = make("table", {}, head, body);
  const scroll = make("div", { class: "head-table-scroll", tabindex: 0, role: "group" }, table);
  const conclusion = make("p", { class: "conclusion" });
  const node = make("div", { class: "control head-table" }, conclusion, scroll);
  /** @type {Line[]} */
  const lines = [];

  /** @param {number} k */
  function lineOf(k) {
    const press = () => model.send_msg({ type: "press", row: k });
    const bar = make("i", { class: "head-bar", "aria-hidden": "true" });
    const text = make("span");
    const fall = make("i", { class: "head-bar", "aria-hidden": "true" });
    const fell = make("span");
    /** @type {HTMLButtonElement} */
    const button = make("button", { type: "button", class: "button", onclick: press });
    const cells = {
      name: make("th", { scope: "row" }),
      right: make("td", { class: "head-number" }),
      lost: make("td", { class: "head-number" }, bar, text),
      probability: make("td", { class: "head-number" }),
      change: make("td", { class: "head-number" }, fall, fell),
      writes: make("td"),
      reads: make("td"),
    };
    const tr = make(
      "tr",
      {
        onclick: (/** @type {MouseEvent} */ event) => {
          if (!(event.target instanceof Element && event.target.closest("button"))) press();
        },
      },
      ...Object.values(cells),
      make("td", {}, button),
    );
    body.append(tr);
    return { ...cells, tr, bar, text, fall, fell, button };
  }

  /** @param {Line} line @param {HeadRow} row */
  function fill(line, row) {
    setText(line.name, row.label);
    setText(line.right, row.right);
    setText(line.text, row.right_change);
    line.bar.style.width = `${Math.round(60 * Math.min(1, Math.abs(row.share)))}px`;
    setText(line.probability, row.probability);
    setText(line.fell, row.change);
    line.fall.style.width = `${Math.round(60 * Math.min(1, row.fall))}px`;
    setText(line.writes, row.writes);
    line.writes.classList.toggle("other", row.is_other);
    setText(line.reads, row.reads);
    setText(line.button, row.silent ? "silenced" : "silence");
    setAttribute(line.button, "aria-pressed", String(row.silent));
    setAttribute(line.button, "aria-label", `Silence ${row.label}`);
    line.tr.classList.toggle("silent", row.silent);
  }

  function show() {
    const { rows, head: titles } = model;
    if (!titles.label) return; // nothing has been measured yet
    const hasRight = Boolean(titles.right);
    const hasReads = Boolean(titles.reads);
    setText(conclusion, titles.conclusion);
    setAttribute(table, "aria-label", titles.label);
    setAttribute(scroll, "aria-label", `Table: ${titles.label}`);
    node.classList.toggle("no-right", !hasRight);
    head.replaceChildren(...headOf(titles, hasRight, hasReads));
    while (lines.length < rows.length) lines.push(lineOf(lines.length));
    for (const { tr } of lines.splice(rows.length)) tr.remove();
    rows.forEach((row, k) => {
      fill(lines[k], row);
    });
    for (const { right, lost, fall, reads } of lines) {
      right.hidden = lost.hidden = !hasRight;
      fall.hidden = hasRight; // one bar in a row says what it is sorted by
      reads.hidden = !hasReads;
    }
  }

  const later = oncePerFrame(show);
  model.on("rows", later);
  model.on("head", later);
  show();
  return asControl(model, node);
}

/**
 * The titles of the columns, and the line of the model as it is.
 * @param {Head} titles @param {boolean} hasRight @param {boolean} hasReads
 */
function headOf(titles, hasRight, hasReads) {
  /** @param {string} text @param {number} span */
  const number = (text, span) =>
    make("th", { scope: "col", colspan: span, class: "head-number" }, text);
  const now = (/** @type {string} */ text) => make("td", { class: "head-number" }, text);
  const title = (/** @type {string} */ text) => make("th", { scope: "col" }, text);
  return [
    make(
      "tr",
      {},
      title(titles.part),
      ...(hasRight ? [number(titles.right, 2)] : []),
      number(titles.probability, 2),
      title(titles.writes),
      ...(hasReads ? [title(titles.reads)] : []),
      make("td"),
    ),
    make(
      "tr",
      { class: "head-now" },
      make("th", { scope: "row" }, titles.now),
      ...(hasRight ? [now(titles.right_now), make("td")] : []),
      now(titles.probability_now),
      make("td"),
      make("td", {}, titles.writes_now),
      ...(hasReads ? [make("td")] : []),
      make("td"),
    ),
  ];
}
