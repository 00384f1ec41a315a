import assert from "node:assert/strict";
import { test } from "node:test";
import { isRenamed } from "../../app/board/data/renamed.js";
import { entry } from "./builders.js";

/** @param {object} [more] of the matrix with a row for each word */
function picture(words, more = {}, version = 1) {
  const row_names = words.map((word, k) => `${word} (position ${k})`);
  const labels = { row_labels: words, row_names, col_labels: ["d0", "d1"] };
  const stack = { stack: "encoder", title: "Encoder", words, names: words, allowed: [] };
  const stacks = [{ ...stack, right: words.map(() => null) }];
  return {
    ...{ version, structure: words.join(), model: "phrases", hint: "", stages: [], choices: [] },
    matrices: [entry("X", words.length, 2, { ...labels, lanes: ["encoder", null], ...more })],
    whole: { lens: false, stacks, parts: [] },
  };
}

const before = picture(["the", "black", "cat"]);

test("other words on the same lanes do not change the structure", () => {
  assert.ok(isRenamed(before, picture(["the", "white", "cat"], {}, 2)));
  assert.ok(isRenamed(before, before));
});

test("more words, another matrix, or other columns change the structure", () => {
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

test("another model, a silenced part, or a lane without a right word changes it, too", () => {
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
