import assert from "node:assert/strict";
import { test } from "node:test";
import { cellWords } from "../../app/board/data/cell_words.js";
import { entry } from "./builders.js";

const labels = { row_labels: ["<sos> → writes le"], col_labels: ["", "chat"] };
const cells = (more = {}) => entry("p", 1, 2, { ...labels, ...more });

test("a cell is called by its full names if it has some", () => {
  const names = {
    row_names: ["<sos> → writes le (position 0, id 0)"],
    col_names: ["a", "b (id 1)"],
  };
  assert.equal(
    cellWords(cells(names), 0, 1),
    "row <sos> → writes le (position 0, id 0), column b (id 1)",
  );
});

test("otherwise a cell is called by its labels, without signs", () => {
  assert.equal(cellWords(cells(), 0, 1), "row <sos> → writes le, column chat");
  assert.equal(cellWords(cells(), 0, 0), "row <sos> → writes le, column ∅");
});
