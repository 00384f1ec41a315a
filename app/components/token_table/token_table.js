/** Tables with a column for each token; cells are colored by a share and can be selected. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setAttribute } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";
import { WALK_KEYS, walk } from "./walk.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {{text: string, title: string, share: number | null, faint?: boolean}} TokenCell
 * @typedef {{label: string, cells: TokenCell[]}} TokenRow
 * @typedef {{title: string, columns: string[], rows: TokenRow[]}} TokenRows
 *
 * @typedef {object} Properties
 * @property {TokenRows[]} tables
 * @property {number[]} chosen table, row and column; empty if none
 * @property {{low?: string, high?: string}} legend
 */

// The share above which the inverse text color is more readable, in the light and the dark theme.
const INVERSE = { "--share": [0.66, 0.635], "--negative": [Infinity, 0.72] };

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const body = make("div", { class: "token-tables" });
  const low = make("span");
  const high = make("span");
  const bar = make("i", { class: "token-scale-bar", "aria-hidden": "true" });
  const legend = make("p", { class: "token-scale" }, low, bar, high);
  const node = make("div", { class: "control token-table-box" }, legend, body);
  /** The cell that has or gets the focus, in each table. @type {Map<number, [number, number]>} */
  const at = new Map();
  /** @type {HTMLElement[][][]} */
  let cells = [];

  /** @param {number} table @param {number} row @param {number} column */
  const choose = (table, row, column) => model.send_msg({ type: "choose", table, row, column });

  /** @param {number} table @param {number} row @param {number} column */
  function aim(table, row, column) {
    const [i, j] = at.get(table) ?? [0, 0];
    setAttribute(cells[table][i]?.[j] ?? node, "tabindex", -1);
    at.set(table, [row, column]);
    setAttribute(cells[table][row][column], "tabindex", 0);
  }

  /** @param {TokenCell} cell @param {number} t @param {number} i @param {number} j */
  function cellOf({ text, title, share, faint }, t, i, j) {
    const td = make(
      "td",
      {
        role: "gridcell",
        tabindex: -1,
        class: faint ? "token-faint" : null,
        title,
        "aria-label": title,
        onclick: () => {
          aim(t, i, j);
          choose(t, i, j);
        },
        onfocus: () => aim(t, i, j),
      },
      text,
    );
    const go = (/** @type {KeyboardEvent} */ { key }) => {
      const goal = walk(key, [i, j], cells[t]);
      if (goal) cells[t][goal[0]][goal[1]].focus();
    };
    bindKeys(td, "In the table", [
      { keys: WALK_KEYS, does: "from cell to cell", run: go },
      { keys: ["Enter", "Space"], does: "chooses it", run: () => choose(t, i, j) },
    ]);
    if (share !== null) {
      const end = /** @type {keyof typeof INVERSE} */ (share < 0 ? "--negative" : "--share");
      const size = Math.min(1, Math.abs(share));
      const part = `var(${end}) ${(100 * size).toFixed(1)}%`;
      td.style.background = `color-mix(in srgb, var(--zero), ${part})`;
      const inks = INVERSE[end].map((from) => `var(--cell-ink${size > from ? "-inverse" : ""})`);
      td.style.color = `light-dark(${inks})`;
    }
    return td;
  }

  /** @param {TokenRows} table @param {number} t */
  function tableOf({ title, columns, rows }, t) {
    cells[t] = rows.map((row, i) => row.cells.map((cell, j) => cellOf(cell, t, i, j)));
    const head = columns.map((label) => make("th", { scope: "col" }, label || "∅"));
    const [first = 0, second = 0] = at.get(t) ?? [];
    if (cells[t].length && cells[t][0].length)
      aim(t, Math.min(first, rows.length - 1), Math.min(second, cells[t][0].length - 1));
    return make(
      "div",
      { class: "token-scroll" },
      make(
        "table",
        { role: "grid", "aria-label": title },
        make("caption", {}, title),
        make("thead", {}, make("tr", {}, make("td", { "aria-hidden": "true" }), ...head)),
        make(
          "tbody",
          {},
          ...rows.map(({ label }, i) =>
            make("tr", {}, make("th", { scope: "row" }, label), ...cells[t][i]),
          ),
        ),
      ),
    );
  }

  function show() {
    const root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
    const focused = cells.findIndex((table) =>
      table.some((row) => row.some((cell) => cell === root.activeElement)),
    );
    cells = [];
    body.replaceChildren(...model.tables.map(tableOf));
    const [i, j] = at.get(focused) ?? [0, 0];
    if (focused >= 0) cells[focused]?.[i]?.[j]?.focus({ preventScroll: true });
    mark();
    legend.hidden = !model.legend.low;
    low.textContent = model.legend.low ?? "";
    high.textContent = model.legend.high ?? "";
  }

  function mark() {
    const [table, row, column] = model.chosen;
    cells.forEach((rows, t) => {
      rows.forEach((line, i) => {
        line.forEach((cell, j) => {
          const isIt = t === table && i === row && j === column;
          setAttribute(cell, "aria-selected", String(isIt));
        });
      });
    });
  }

  const later = oncePerFrame(show);
  model.on("tables", later);
  model.on("legend", later);
  model.on("chosen", mark);
  show();
  return asControl(model, node);
}
