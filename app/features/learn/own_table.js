/** Declares an editable table of pairs or texts. */

import { make, setAttribute, setText } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";

/** @import {Draft} from "./own_data.js" */

/** An example shown in an empty table, by task. @type {Record<string, string[]>} */
const EXAMPLES = {
  own: ["the black cat", "le chat noir"],
  "own-next-word": ["the sun rises in the east"],
  "own-blanks": ["the sun rises in the east"],
};

export class OwnTable {
  /** @param {(message: object) => Promise<void>} ask sends a change to Python */
  constructor(ask) {
    this.ask = ask;
    this.head = make("tr");
    this.body = make("tbody");
    this.more = make("p", { class: "message" });
    /** The cells by row and column. @type {HTMLInputElement[][]} */
    this.cells = [];
    /** The buttons that remove a row. @type {HTMLButtonElement[]} */
    this.removers = [];
    /** The column of the last cell that got the focus by anything but Tab. */
    this.first = 0;
    this.isWhole = true; // whether all rows are shown
    this.pending = 0; // edits not yet answered by Python
    this.node = make(
      "div",
      { class: "own-rows" },
      make("table", { class: "own-table" }, make("thead", {}, this.head), this.body),
      this.more,
    );
  }

  focus() {
    this.go(0, 0);
  }

  /** Moves the focus to a cell, if there is one. @param {number} row @param {number} column */
  go(row, column) {
    this.first = column;
    this.cells[row]?.[column]?.focus();
  }

  /**
   * Moves to the row below, and adds a row after the last one. After Tab, the focus moves to the
   * column in which the user began the row.
   * @param {number} row @param {number} column
   */
  enter(row, column) {
    const { length } = this.cells;
    if (row === length - 1 && this.isWhole && this.cells[row].some(({ value }) => value))
      this.addRow(this.cells[row].length);
    this.go(row + 1, Math.min(column, this.first));
  }

  /** Returns the row of the focused cell; null if none is focused. */
  focusedRow() {
    const at = this.cells.findIndex((row) => row.some((cell) => cell.matches(":focus")));
    return at < 0 ? null : at;
  }

  /** @param {Draft} draft */
  show({ learned, columns, rows, places, faults, count }) {
    this.isWhole = count === rows.length;
    this.setSize(places.length, columns);
    const placeholders = rows.length === 0 ? EXAMPLES[learned] : [];
    for (const [at, cells] of this.cells.entries())
      for (const [column, cell] of cells.entries()) {
        const text = rows[at]?.[column] ?? "";
        // Keep the typed text until Python has a different text for this cell.
        if (cell.dataset.text !== text) cell.value = cell.dataset.text = text;
        // Python's answer includes the name of a new row.
        const label = [columns[column], places[at]].filter(Boolean).join(", ");
        setAttribute(cell, "aria-label", label);
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

  /** Adds or removes cells to match the draft. @param {number} count @param {string[]} columns */
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
    // While edits are pending, the newest rows exist only here: do not remove them.
    while (this.pending === 0 && this.cells.length > count) {
      this.cells.pop();
      this.removers.pop();
      this.body.lastElementChild?.remove();
    }
    while (this.cells.length < count) this.addRow(columns.length);
  }

  /** Sends a cell to Python. @param {number} row @param {number} column @param {string} text */
  async edit(row, column, text) {
    this.pending += 1;
    await this.ask({ type: "edit", row, column, text });
    this.pending -= 1;
  }

  /** @param {number} columns */
  addRow(columns) {
    const row = this.cells.length;
    const cells = Array.from({ length: columns }, (_, column) => this.cellOf(row, column));
    const remove = make(
      "button",
      {
        type: "button",
        class: "dismiss",
        tabindex: -1, // Tab moves between cells; emptying all cells of a row removes the row
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
      onchange: () => this.edit(row, column, cell.value),
      onpointerdown: () => {
        this.first = column;
      },
    });
    cell.dataset.text = "";
    bindKeys(cell, "In a table of your own", [
      {
        keys: ["Enter"],
        does: "to the row below, which is new after the last one",
        run: () => this.enter(row, column),
      },
      {
        keys: ["ArrowDown"],
        does: "to the row below",
        run: () => this.go(row + 1, column),
      },
      {
        keys: ["ArrowUp"],
        does: "to the row above",
        run: () => this.go(row - 1, column),
      },
    ]);
    return cell;
  }
}
