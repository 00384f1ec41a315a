/** The labels at the ends of ribbons. */

import "./document.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, RibbonEnds } from "../../app/components/board/picture/ribbon_ends.js";

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

test("beside narrow links only the strongest weight has room, beside wide ones each", () => {
  const weights = [0.2, 0.7, 0.1].map((weight, head) => ({ head, weight, cell: {} }));
  const camera = { zoom: 1, tall: 1, deep: 1, wide: 1 };
  const ends = { viewpoint: { camera } };
  const shown = (/** @type {number} */ right) =>
    RibbonEnds.prototype.shownOf
      .call(
        /** @type {any} */ (ends),
        /** @type {any} */ (weights),
        /** @type {any} */ ({ left: 0, right }),
      )
      .map(({ head }) => head);
  assert.deepEqual([shown(40), shown(120), shown(400)], [[1], [0, 1], [0, 1, 2]]);
});
