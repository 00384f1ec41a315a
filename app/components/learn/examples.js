/** Unseen pairs: the source, what the model writes, and where that is wrong. */

import { asControl } from "../shared/control.js";
import { make, oncePerFrame, setText } from "../shared/dom.js";

/**
 * @import {ControlProperties} from "../shared/control.js"
 * @import {Model} from "../shared/model.js"
 *
 * @typedef {[source: string, right: string, written: string]} Row
 * @typedef {{rows: Row[], unit: string, note: string}} Properties
 */

/** @param {{model: Model<Properties & ControlProperties>}} component */
export function render({ model }) {
  const body = make("tbody");
  const empty = make("p", { class: "message" }, "They are shown as soon as they are computed.");

  const note = make("p", { class: "counted", role: "status" });

  function show() {
    const { rows } = model;
    setText(note, model.note);
    empty.hidden = rows.length > 0;
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach((row, at) => {
      const now = body.rows[at];
      const key = JSON.stringify(row);
      if (now?.dataset.key === key) return;
      // Keep the button under the pointer while the model's output changes.
      if (now && now.dataset.source === row[0]) now.cells[1].replaceWith(written(row));
      else if (now) now.replaceWith(made(row, at));
      else body.append(made(row, at));
      body.rows[at].dataset.key = key;
    });
  }

  /** @param {Row} row @param {number} at */
  function made(row, at) {
    const button = make(
      "button",
      {
        type: "button",
        class: "example",
        title: "Bring it to the page",
        onclick: () => model.send_msg({ type: "choose", row: at }),
      },
      row[0],
    );
    const node = make("tr", {}, make("th", { scope: "row" }, button), written(row));
    node.dataset.source = row[0];
    return node;
  }

  /** @param {Row} row */
  function written([, right, text]) {
    if (text === right) return make("td", { class: "right" }, `${text} ✓`);
    const isWords = model.unit === "word";
    const parts = isWords ? text.split(" ") : [...text];
    const wanted = isWords ? right.split(" ") : [...right];
    const cell = make("td");
    parts.forEach((part, at) => {
      if (at && isWords) cell.append(" ");
      cell.append(part === wanted[at] ? part : make("span", { class: "wrong" }, part || "∅"));
    });
    cell.append(make("span", { class: "should" }, `✗ should be ${right}`));
    return cell;
  }

  const later = oncePerFrame(show);
  for (const name of ["rows", "unit", "note"]) model.on(name, later);
  show();
  return asControl(
    model,
    make(
      "section",
      { class: "control" },
      make("h2", {}, "Unseen examples"),
      note,
      empty,
      make("table", { class: "examples", "aria-label": "Unseen examples" }, body),
    ),
  );
}
