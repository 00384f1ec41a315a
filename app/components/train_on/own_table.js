/** An editable table of pairs or texts. */

import { make, setAttribute, setText } from "../shared/dom.js";
import { bindKeys } from "../shared/keys.js";

/** @import {Draft} from "./own_data.js" */

/** An example in an empty table, by what is learned. @type {Record<string, string[]>} */
const EXAMPLES = {
  own: ["the black cat", "le chat noir"],
  "own-next-word": ["the sun rises in the east"],
  "own-blanks": ["the sun rises in the east"],
};

export class OwnTable {
  /** @param {(message: object) => void} ask sends a change to Python */
  constructor(ask) {
    this.ask = ask;
    this.head = make("tr");
    this.body = make("tbody");
    this.more = make("p", { class: "message" });
    /** The cells by row and column. @type {HTMLInputElement[][]} */
    this.cells = [];
    /** The buttons that remove a row. @type {HTMLButtonElement[]} */
    this.removers = [];
    this.node = make(
      "div",
      { class: "own-rows" },
      make("table", { class: "own-table" }, make("thead", {}, this.head), this.body),
      this.more,
    );
  }

  focus() {
    this.cells[0]?.[0]?.focus();
  }

  /** The row of the cell that has the focus; null if none has it. */
  focusedRow() {
    const at = this.cells.findIndex((row) => row.some((cell) => cell.matches(":focus")));
    return at < 0 ? null : at;
  }

  /** @param {Draft} draft */
  show({ learned, columns, rows, places, faults, count }) {
    this.setSize(places.length, columns);
    const placeholders = rows.length === 0 ? EXAMPLES[learned] : [];
    for (const [at, cells] of this.cells.entries())
      for (const [column, cell] of cells.entries()) {
        const text = rows[at]?.[column] ?? "";
        // What is being typed stays until Python has another text for this cell.
        if (cell.dataset.text !== text) cell.value = cell.dataset.text = text;
        setAttribute(cell, "aria-label", `${columns[column]}, ${places[at]}`);
        setAttribute(cell, "placeholder", at === 0 ? (placeholders[column] ?? null) : null);
        const fault = faults[at];
        setAttribute(cell, "aria-invalid", fault ? "true" : null);
        setAttribute(cell, "title", fault ?? null);
      }
    for (const [at, button] of this.removers.entries()) {
      button.hidden = at >= rows.length;
      setAttribute(button, "aria-label", `Remove ${places[at]}`);
    }
    const more = count - rows.length;
    setText(this.more, more ? `… and ${more.toLocaleString("en")} more` : "");
  }

  /** Makes as many cells as are needed. @param {number} count @param {string[]} columns */
  setSize(count, columns) {
    const names = JSON.stringify(columns);
    if (this.head.dataset.names !== names) {
      const isFocused = this.focusedRow() !== null;
      this.head.dataset.names = names;
      const cells = columns.map((name) => make("th", { scope: "col" }, name));
      this.head.replaceChildren(...cells, make("td"));
      this.body.replaceChildren();
      this.cells = [];
      this.removers = [];
      if (isFocused) requestAnimationFrame(() => this.focus());
    }
    while (this.cells.length > count) {
      this.cells.pop();
      this.removers.pop();
      this.body.lastElementChild?.remove();
    }
    while (this.cells.length < count) this.addRow(columns);
  }

  /** @param {string[]} columns */
  addRow(columns) {
    const row = this.cells.length;
    const cells = columns.map((_, column) => this.cellOf(row, column));
    const remove = make(
      "button",
      {
        type: "button",
        class: "dismiss",
        tabindex: -1, // Tab goes from cell to cell; a row whose cells are emptied goes, too
        onclick: () => this.ask({ type: "remove", row }),
      },
      "×",
    );
    this.cells.push(cells);
    this.removers.push(remove);
    this.body.append(
      make("tr", {}, ...cells.map((cell) => make("td", {}, cell)), make("td", {}, remove)),
    );
  }

  /** @param {number} row @param {number} column */
  cellOf(row, column) {
    const cell = make("input", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      maxlength: 4000,
      onchange: () => this.ask({ type: "edit", row, column, text: cell.value }),
    });
    cell.dataset.text = "";
    bindKeys(cell, "In a table of your own", [
      {
        keys: ["Enter", "ArrowDown"],
        does: "to the row below",
        run: () => this.cells[row + 1]?.[column]?.focus(),
      },
      {
        keys: ["ArrowUp"],
        does: "to the row above",
        run: () => this.cells[row - 1]?.[column]?.focus(),
      },
    ]);
    return cell;
  }
}
