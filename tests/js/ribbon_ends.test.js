/** The labels at the ends of ribbons. */

import "./document.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { apart } from "../../app/components/board/whole/ribbon_ends.js";

test("the ends of two ribbons in neighboring rows are both read, none over the other", () => {
  const ends = (/** @type {[number, number][]} */ ...all) =>
    apart(/** @type {any[]} */ (all.map(([y, most]) => ({ pair: { y }, most, weights: [] })))).map(
      ({ pair: { y }, most }) => [y, most],
    );
  assert.deepEqual(ends([20, 0.6], [40, 0.3]), [
    [20, 0.6],
    [40, 0.3],
  ]);
  const [first, second] = ends([20, 0.69], [30, 0.9]);
  assert.deepEqual([first[1], second], [0.69, [30, 0.9]]);
  assert.ok(first[0] <= 15 && first[0] >= 12);
  assert.deepEqual(ends([20, 0.5], [22, 0.9], [24, 0.1]).length, 1);
});
