import assert from "node:assert/strict";
import { test } from "node:test";
import { saidOf } from "../../app/features/tokens/written_row.js";

const now = { verdict: "✓ right", in_full: "", unjudged: "" };

test("a sentence is judged once all of it is written, and not while numbers move", () => {
  assert.deepEqual([saidOf(now, "", true).verdict, saidOf(now, "", true).sign], [" right", "✓"]);
  // A film has written only some words.
  assert.deepEqual([saidOf(now, "", false).verdict, saidOf(now, "", false).sign], ["", ""]);
  const moving = saidOf(now, "While it swings", false);
  assert.deepEqual([moving.verdict, moving.sign], ["While it swings", ""]);
});
