/** The likeliest next words, read off the numbers on the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { likeliestWords } from "../../app/components/board/stages/next_tokens.js";

test("a next word is named by its token where the label of its column differs", () => {
  const entry = { col_labels: ["a", "␣"], row_labels: ["x"], tokens: { 1: " " } };
  const matrix = { rows: 1, cols: 2, values: [0.25, 0.75], entry };
  const store = /** @type {any} */ ({ matrices: new Map([["output.probabilities", matrix]]) });
  const words = likeliestWords(store, 0, 2)?.best.map(({ word }) => word);
  assert.deepEqual(words, [" ", "a"]);
});
