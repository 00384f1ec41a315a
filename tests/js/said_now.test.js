import assert from "node:assert/strict";
import { test } from "node:test";

import { saidNow } from "../../app/features/tokens/said_now.js";

/** A page whose rows have these labels. */
function paint(labels) {
  const likeliest = (row) => ({
    rows: labels,
    best: [{ word: `word ${row}`, p: 0.5 }],
  });
  Object.assign(globalThis, { window: { tinkerformer: { ready: true, likeliest } } });
}

test("the words of rows are read if tokens are empty or spaces", () => {
  paint(["<sos>", "␣ → writes 5", "∅ → writes 6"]);
  assert.deepEqual(
    saidNow(["<sos>", " ", ""])?.map((said) => said?.word),
    ["word 0", "word 1", "word 2"],
  );
});

test("the numbers of other tokens are not read", () => {
  paint(["<sos>", "le → writes chat"]);
  assert.equal(saidNow(["<sos>", "la"]), null);
  assert.equal(saidNow(["<sos>", "le", "chat"]), null);
});
