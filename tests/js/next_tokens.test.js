import assert from "node:assert/strict";
import { test } from "node:test";
import { likeliestWords, swingOrder } from "../../app/board/stages/next_tokens.js";

test("a next word is named by its token if the label of its column differs", () => {
  const entry = { col_labels: ["a", "␣"], row_labels: ["x"], tokens: { 1: " " } };
  const matrix = { rows: 1, cols: 2, values: [0.25, 0.75], entry };
  const store = { matrices: new Map([["output.probabilities", matrix]]) };
  const words = likeliestWords(store, 0, 2)?.best.map(({ word }) => word);
  assert.deepEqual(words, [" ", "a"]);
});

test("during an oscillation words are ordered by their largest probability", () => {
  const entry = { col_labels: ["a", "b", "c"], row_labels: ["x", "y"] };
  const frames = { values: [0.7, 0.2, 0.1, 1, 0, 0, 0.1, 0.1, 0.8, 0, 1, 0] };
  const matrix = { rows: 2, cols: 3, cells: 6, entry, frames };
  const store = { matrices: new Map([["output.probabilities", matrix]]) };
  assert.deepEqual(swingOrder(store, 0), ["c", "a", "b"]);
  assert.equal(swingOrder({ ...store, matrices: new Map() }, 0), null);
  Object.assign(matrix, { frames: null });
  assert.equal(swingOrder(store, 0), null);
});
