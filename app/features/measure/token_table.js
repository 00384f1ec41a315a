/** Draws tables with a column for each token; cells are colored by a share and can be selected. */

import { strengthColor } from "../../components/shared/color_scale.js";
import { asControl } from "../../components/shared/control.js";
import { bindKeys } from "../../components/shared/keys.js";
import { html } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { FromTemplate } from "../../components/shared/template.js";
import { WALK_KEYS, walk } from "./walk.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {{text: string, title: string, share: number | null, faint?: boolean}} TokenCell
 * @typedef {{label: string, cells: TokenCell[]}} TokenRow
 * @typedef {{title: string, columns: string[], rows: TokenRow[]}} TokenRows
 *
 * @typedef {object} Properties see token_table.py
 * @property {TokenRows[]} tables @property {number[]} chosen
 * @property {{low?: string, high?: string}} legend
 */

// The share above which the inverse text color is more readable, in the light and the dark theme.
const INVERSE = { "--share": [0.66, 0.4], "--negative": [Infinity, 0.55] };

/** @param {Component<Properties>} component */
export function render({ model }) {
  const tables = new TokenTables(model);
  onChange(model, ["tables", "legend", "chosen"], () => tables.draw());
  return asControl(model, tables.node);
}

class TokenTables extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    /** The focusable cell of each table. @type {Map<number, [number, number]>} */
    this.at = new Map();
    bindKeys(this.node, "In the table", [
      {
        keys: WALK_KEYS,
        does: "from cell to cell",
        run: ({ key, target }) =>
          this.onCell(target, (_, i, j, cells) => {
            const goal = walk(key, [i, j], cells);
            if (goal) cells[goal[0]][goal[1]].focus();
          }),
      },
      {
        keys: ["Enter", "Space"],
        does: "chooses it",
        run: ({ target }) => this.onCell(target, (t, i, j) => this.choose(t, i, j)),
      },
    ]);
  }

  template() {
    const { low, high } = this.model.legend;
    return html`<div class="control token-table-box">
      <p class="token-scale" ?hidden=${!low}><span>${low}</span
        ><i class="token-scale-bar" aria-hidden="true"></i><span>${high}</span></p>
      <div class="token-tables">${this.model.tables.map((table, t) => this.table(table, t))}</div>
    </div>`;
  }

  /** @param {TokenRows} table @param {number} t */
  table({ title, columns, rows }, t) {
    return html`<div class="token-scroll">
    <table role="grid" aria-label=${title}>
      <caption>${title}</caption>
      <thead><tr>
        <td aria-hidden="true"></td>
        ${columns.map((label) => html`<th scope="col">${label || "∅"}</th>`)}
      </tr></thead>
      <tbody>${rows.map(
        ({ label, cells }, i) => html`<tr>
          <th scope="row">${label}</th>${cells.map((cell, j) => this.cell(cell, t, i, j))}
        </tr>`,
      )}</tbody>
    </table>
  </div>`;
  }

  /** @param {TokenCell} cell @param {number} t @param {number} i @param {number} j */
  cell({ text, title, share, faint }, t, i, j) {
    const [row, column] = this.aimed(t);
    const [table, line, place] = this.model.chosen;
    const aim = () => {
      this.at.set(t, [i, j]);
      this.draw();
    };
    const press = () => {
      aim();
      this.choose(t, i, j);
    };
    return html`<td role="gridcell" tabindex=${i === row && j === column ? 0 : -1}
      class=${faint ? "token-faint" : ""} title=${title} aria-label=${title}
      aria-selected=${t === table && i === line && j === place} style=${colors(share)}
      @click=${press} @focus=${aim}>${text}</td>`;
  }

  /** @param {number} t the table @returns {[number, number]} */
  aimed(t) {
    const [i, j] = this.at.get(t) ?? [0, 0];
    const { rows } = this.model.tables[t];
    return [Math.min(i, rows.length - 1), Math.min(j, (rows[0]?.cells.length ?? 0) - 1)];
  }

  /** @param {number} table @param {number} row @param {number} column */
  choose(table, row, column) {
    this.model.send_msg({ type: "choose", table, row, column });
  }

  /**
   * @param {EventTarget | null} target
   * @param {(t: number, i: number, j: number, cells: HTMLElement[][]) => void} run
   * @returns {boolean} whether the target is a cell
   */
  onCell(target, run) {
    const tables = [...this.node.querySelectorAll("table")];
    const t = tables.findIndex((table) => table.contains(/** @type {Node} */ (target)));
    const cells = [...(tables[t]?.tBodies[0].rows ?? [])].map((row) => [...row.cells].slice(1));
    const i = cells.findIndex((row) => row.includes(/** @type {any} */ (target)));
    if (i < 0) return false;
    run(t, i, cells[i].indexOf(/** @type {any} */ (target)), cells);
    return true;
  }
}

/** Returns the background and text color of a cell, as CSS. @param {number | null} share */
function colors(share) {
  if (share === null) return "";
  const end = /** @type {keyof typeof INVERSE} */ (share < 0 ? "--negative" : "--share");
  const size = Math.min(1, Math.abs(share));
  const inks = INVERSE[end].map((from) => `var(--cell-ink${size > from ? "-inverse" : ""})`);
  return `background: ${strengthColor(end, size)}; color: light-dark(${inks})`;
}
