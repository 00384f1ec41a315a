/** A table of heads: the accuracy without each head, and a switch that silences it. */

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
 * @property {number} share of all predictions that become wrong without the head
 * @property {string} probability
 * @property {string} change
 * @property {boolean} silent
 * @property {[word: string, isNew: boolean][] | null} writes @property {boolean} same
 *
 * @typedef {{right?: string, probability?: string, now?: string, right_now?: string,
 *   probability_now?: string}} Head
 *
 * @typedef {object} Properties
 * @property {HeadRow[]} rows
 * @property {Head} head
 *
 * @typedef {{group: HTMLElement, name: HTMLElement, right: HTMLElement, lost: HTMLElement, bar:
 *   HTMLElement, text: HTMLElement, probability: HTMLElement, change: HTMLElement, button:
 *   HTMLButtonElement, writes: HTMLElement}} Line
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const head = make("thead");
  const table = make("table", { "aria-label": "Which head matters" }, head);
  const scroll = make(
    "div",
    { class: "head-table-scroll", tabindex: 0, role: "group", "aria-label": "Table of heads" },
    table,
  );
  const node = make("div", { class: "control head-table" }, scroll);
  /** @type {Line[]} */
  const lines = [];

  /** @param {number} k */
  function lineOf(k) {
    const press = () => model.send_msg({ type: "switch", row: k });
    const bar = make("i", { class: "head-bar", "aria-hidden": "true" });
    const text = make("span");
    /** @type {HTMLButtonElement} */
    const button = make("button", { type: "button", class: "button", onclick: press });
    const cells = {
      name: make("th", { scope: "row" }),
      right: make("td", { class: "head-number" }),
      lost: make("td", { class: "head-number" }, bar, text),
      probability: make("td", { class: "head-number" }),
      change: make("td", { class: "head-number" }),
    };
    const writes = make("td", { class: "head-writes", colspan: Object.keys(cells).length + 1 });
    const group = make(
      "tbody",
      {
        onclick: (/** @type {MouseEvent} */ event) => {
          if (!(event.target instanceof Element && event.target.closest("button"))) press();
        },
      },
      make("tr", {}, ...Object.values(cells), make("td", {}, button)),
      make("tr", {}, writes),
    );
    table.append(group);
    return { ...cells, group, bar, text, button, writes };
  }

  /** @param {Line} line @param {HeadRow} row */
  function fill(line, row) {
    setText(line.name, row.label);
    setText(line.right, row.right);
    setText(line.text, row.right_change);
    line.bar.style.width = `${Math.round(60 * Math.min(1, Math.abs(row.share)))}px`;
    setText(line.probability, row.probability);
    setText(line.change, row.change);
    setText(line.button, row.silent ? "silenced" : "silence");
    setAttribute(line.button, "aria-pressed", String(row.silent));
    setAttribute(line.button, "aria-label", `Silence ${row.label}`);
    line.group.classList.toggle("silent", row.silent);
    line.writes.hidden = !row.writes;
    const words = row.writes ?? [];
    const said = row.same ? "the same" : words.length ? "" : "nothing";
    const shown = said
      ? [said]
      : words.flatMap(([word, isNew]) => [" ", isNew ? make("b", {}, word) : word]);
    line.writes.replaceChildren("writes ", ...shown);
  }

  function show() {
    const { rows, head: titles } = model;
    const hasRight = Boolean(titles.right);
    node.classList.toggle("no-right", !hasRight);
    const title = (/** @type {string} */ text, /** @type {number} */ span) =>
      make("th", { scope: "col", colspan: span, class: "head-number" }, text);
    head.replaceChildren(
      make(
        "tr",
        {},
        make("th", { scope: "col" }, "with this head silenced"),
        hasRight ? title(titles.right ?? "", 2) : "",
        title(titles.probability ?? "", 2),
        make("td"),
      ),
      make(
        "tr",
        { class: "head-now" },
        make("th", { scope: "row" }, titles.now ?? ""),
        hasRight ? make("td", { class: "head-number" }, titles.right_now ?? "") : "",
        hasRight ? make("td") : "",
        make("td", { class: "head-number" }, titles.probability_now ?? ""),
        make("td"),
        make("td"),
      ),
    );
    while (lines.length < rows.length) lines.push(lineOf(lines.length));
    for (const { group } of lines.splice(rows.length)) group.remove();
    rows.forEach((row, k) => {
      fill(lines[k], row);
    });
    for (const { right, lost } of lines) right.hidden = lost.hidden = !hasRight;
  }

  const later = oncePerFrame(show);
  model.on("rows", later);
  model.on("head", later);
  show();
  return asControl(model, node);
}
