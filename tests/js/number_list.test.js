import assert from "node:assert/strict";
import { test } from "node:test";
import { toFigures } from "../../app/features/pull/number_list.js";

for (const [now, value, shown] of [
  [-0.0021321, -0.191, ["−0.002", "−0.191"]],
  [0.81341, 0.81363, ["0.813410", "0.813630"]],
  [-1.4, 2.08, ["−1.40", "2.08"]],
  [12, 512, ["12", "512"]],
  [0, 1e-12, ["0.00000000", "0.00000000"]],
  [0.5, 0.5, ["0.500", "0.500"]],
])
  test(`from ${now} to ${value}`, () => assert.deepEqual(toFigures(now, value), shown));
