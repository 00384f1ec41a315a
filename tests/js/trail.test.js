/** What the last step changed: an undo counts as a step, and all moves of a slider as one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix } from "../../app/components/board/data/matrix.js";
import { Trail } from "../../app/components/board/data/trail.js";

function page() {
  const entry = { path: "a", rows: 1, cols: 2, head: null, tex: "A" };
  const matrix = new Matrix(/** @type {any} */ (entry), 0);
  const trail = new Trail(/** @type {any} */ ({ byIndex: [matrix] }));
  /** @param {number[]} numbers @param {number} now */
  const show = (numbers, now) => {
    const values = Float32Array.from(numbers);
    trail.take([{ matrix, values }], now);
    matrix.accept(values, null, null);
  };
  show([0, 0], 0);
  return { matrix, trail, show };
}

test("an undo right after an edit shows what moved back", () => {
  const { matrix, trail, show } = page();
  trail.begin();
  show([1, 0], 10);
  assert.deepEqual([trail.shareOf(matrix, 0), trail.shareOf(matrix, 1)], [1, 0]);
  trail.begin();
  show([0, 0], 20);
  assert.deepEqual([trail.shareOf(matrix, 0), trail.shareOf(matrix, 1)], [1, 0]);
  assert.equal(trail.tint(matrix, 0) > 0, true);
});

test("a slider that rests amid its way is one step", () => {
  const { matrix, trail, show } = page();
  trail.begin();
  show([1, 0], 10);
  show([1, 2], 60_000);
  assert.deepEqual([...(matrix.before ?? [])], [0, 0]);
});

test("what a step moved is kept until another one has moved something", () => {
  const { matrix, trail, show } = page();
  trail.begin();
  show([1, 0], 10);
  trail.begin();
  show([1, 0], 20);
  assert.equal(trail.shareOf(matrix, 0), 1);
  matrix.describe(matrix.entry, 0); // another view of the same matrix
  assert.equal(trail.shareOf(matrix, 0), 1);
});

test("what differs by rounding alone has not moved", () => {
  const { matrix, trail, show } = page();
  show([5, 1e-7], 10);
  trail.begin();
  show([5.00001, 0], 20);
  assert.deepEqual([...(matrix.before ?? [])], [0, 0]); // still part of the previous step
  trail.begin();
  show([5.01, 0], 30);
  assert.equal(trail.shareOf(matrix, 0) > 0, true);
});

test("of a sentence that is rewritten, what is as it was is compared with that", () => {
  const words = ["a → writes b", "b → writes c", "c"];
  /** @param {string[]} rows */
  const entry = (rows) => ({
    path: "a",
    rows: rows.length,
    cols: 1,
    row_labels: rows,
    col_labels: ["d0"],
  });
  const matrix = new Matrix(/** @type {any} */ (entry(words)), 0);
  const trail = new Trail(/** @type {any} */ ({ byIndex: [matrix] }));
  matrix.accept(Float32Array.of(1, 2, 3), null, null);
  trail.begin();
  matrix.describe(/** @type {any} */ (entry(["a → writes b", "b → writes x", "x", "y"])), 0);
  const values = Float32Array.of(1, 5, 6, 7);
  assert.ok(trail.take([{ matrix, values }], 10));
  matrix.accept(values, null, null);
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => trail.moved(matrix, k)),
    [0, 3, 0, 0],
  );
  assert.ok(trail.tint(matrix, 1) > 0);
});
