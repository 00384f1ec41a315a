/** Structures of the picture that differ only by their words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isRenamed } from "../../app/board/data/renamed.js";

/** @param {object} [more] of the matrix with a row for each word */
const picture = (words, more = {}, version = 1) => ({
  version,
  structure: words.join(),
  model: "phrases",
  hint: "",
  matrices: [
    {
      path: "source.sum",
      tex: "X",
      rows: words.length,
      cols: 2,
      row_labels: words,
      row_names: words.map((word, k) => `${word} (position ${k})`),
      col_labels: ["d0", "d1"],
      lanes: ["encoder", null],
      ...more,
    },
  ],
  stages: [],
  choices: [],
  whole: {
    lens: false,
    stacks: [
      {
        stack: "encoder",
        title: "Encoder",
        words,
        names: words,
        right: words.map(() => null),
        allowed: [],
      },
    ],
    parts: [],
  },
});

const before = picture(["the", "black", "cat"]);

test("other words on the same lanes are no other structure", () => {
  assert.ok(isRenamed(before, picture(["the", "white", "cat"], {}, 2)));
  assert.ok(isRenamed(before, before));
});

test("more words, another matrix, or other columns are one", () => {
  assert.ok(!isRenamed(before, picture(["the", "cat"])));
  const words = ["the", "white", "cat"];
  for (const more of [
    { path: "source.W_e" },
    { col_labels: ["d0", "d2"] },
    { lanes: [null, null] },
    { fixed: true },
    { tex: "Y" },
  ])
    assert.ok(!isRenamed(before, picture(words, more)), JSON.stringify(more));
});

test("so are another model, a silenced part, and a lane without a right word", () => {
  const now = picture(["the", "white", "cat"]);
  assert.ok(!isRenamed(before, { ...now, model: "sandbox" }));
  assert.ok(!isRenamed(before, { ...now, silenced: ["encoder.0"] }));
  const [stack] = now.whole.stacks;
  const other = { ...stack, right: [null, "black", null] };
  assert.ok(!isRenamed(before, { ...now, whole: { ...now.whole, stacks: [other] } }));
});

test("only pictures are compared", () => {
  assert.ok(!isRenamed(null, before));
  const { whole: _, ...formulas } = before;
  assert.ok(!isRenamed(formulas, formulas));
});
