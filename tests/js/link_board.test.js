import assert from "node:assert/strict";
import { test } from "node:test";
import { wordSentence } from "../../app/board/links/link_sentence.js";
import { unheardHeads } from "../../app/board/paint/silence_badge.js";

test("the sentence omits silenced heads", () => {
  const scope = "decoder.0.cross_attn";
  const told = (silenced) => {
    const silentIn = (row) => unheardHeads({ manifest: { silenced } }, scope, row);
    const heads = [
      { head: 0, values: Float32Array.of(0.75, 0.25) },
      { head: 1, values: Float32Array.of(0, 1) },
    ];
    const entry = { row_labels: ["it"], col_labels: ["a", "b"] };
    const matrix = { rows: 1, cols: 2, visibleIn: () => 2, entry };
    const of = { silentIn, isOne: false, more: "" };
    return wordSentence(matrix, { side: "query", k: 0 }, heads, of);
  };
  assert.equal(told([]), "it looks at b 1.000 (head 2), a 0.750 (head 1)");
  const part = {
    path: `${scope}.head.1.context`,
    row: null,
    column: null,
    to: "zero",
    unheard: [1],
  };
  assert.equal(told([part]), "it looks at a 0.750 (head 1)");
  assert.equal(told([{ ...part, row: 0 }]), "it looks at a 0.750 (head 1)");
  assert.equal(
    told([{ ...part, unheard: [0, 1] }]),
    "it: both heads are silent: it looks at nothing",
  );
});
