/** Subscripts and superscripts in the names of cells; words in brackets stay as they are. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { nameParts } from "../../app/components/shared/cell_name.js";

test("what stands below and above a letter is told apart from the words of the cell", () => {
  assert.deepEqual(nameParts("W_src^E[a_b, d^2]"), [
    ["", "W"],
    ["sub", "src"],
    ["sup", "E"],
    ["", "[a_b, d^2]"],
  ]);
  assert.deepEqual(nameParts("W₁^Q[d0, k1]"), [
    ["", "W"],
    ["sub", "1"],
    ["sup", "Q"],
    ["", "[d0, k1]"],
  ]);
  assert.deepEqual(nameParts("γ"), [
    ["", "γ"],
    ["", ""],
  ]);
});
