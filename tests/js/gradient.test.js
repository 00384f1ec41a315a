import assert from "node:assert/strict";
import { test } from "node:test";
import { isBent } from "../../app/features/inspector/gradient.js";

test("the loss is curved if its change differs from the prediction by a factor of two", () => {
  assert.equal(isBent(-5.2e-6, [1.4e-6, 1.2e-5]), true);
  assert.equal(isBent(1e-3, [1.05e-3, -0.96e-3]), false);
  assert.equal(isBent(1e-3, [2.1e-3, -1e-3]), true);
  assert.equal(isBent(1e-3, [1e-3, -0.4e-3]), true);
  assert.equal(isBent(0, [1e-3, 1e-3]), true);
});
