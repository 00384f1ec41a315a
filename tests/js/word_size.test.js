import assert from "node:assert/strict";
import { test } from "node:test";
import { WordSize } from "../../app/features/tokens/word_size.js";

test("words keep their size while numbers change, and have one that fits at rest", () => {
  const size = new WordSize();
  assert.equal(size.take("a", 60, false), 60);
  assert.equal(size.take("a", 50, true), 60); // no size changes with a number
  assert.equal(size.take("a", 90, true), 60);
  assert.equal(size.take("a", 80, false), 80); // the fitting size, once no number changes
  assert.equal(size.take("a", 70, false), 80);
  assert.equal(size.take("a", 60, false), 60); // as after undo
  assert.equal(size.take("b", 40, false), 40);
});
