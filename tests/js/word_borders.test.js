import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allBorders,
  banded,
  justPast,
  nextTo,
  stretchAt,
  wordAt,
} from "../../app/features/inspector/word_borders.js";

const place = (row, name, ...stretches) => ({ row, name, stretches });
const ROWS = [
  place(0, "position 1", [-2, 2, "le"]),
  place(1, "position 2", [-2, -0.24, "lapin"], [-0.24, 2, "chat"]),
  place(2, "word 3", [-2, -1, "gris"], [-1, -0.24, "blanc"], [-0.24, 1.5, "noir"], [1.5, 2, "."]),
];

test("borders are in order, and words that change at the same value share one", () => {
  assert.deepEqual(allBorders(ROWS), [-1, -0.24, 1.5]);
});

test("each position has its word at a value", () => {
  const at = (value) => ROWS.map((row) => wordAt(row.stretches, value));
  assert.deepEqual(at(-1.5), ["le", "lapin", "gris"]);
  assert.deepEqual(at(-0.24), ["le", "chat", "noir"]);
  assert.deepEqual(at(1.5), ["le", "chat", "."]);
});

test("the next borders on both sides are found", () => {
  assert.equal(nextTo(ROWS, 0, -1), -0.24);
  assert.equal(nextTo(ROWS, 0, 1), 1.5);
  assert.equal(nextTo(ROWS, -1.5, -1), undefined);
  assert.equal(nextTo(ROWS, 1.9, 1), undefined);
});

test("a value is in one stretch, even beyond the ends", () => {
  const { stretches } = ROWS[2];
  assert.deepEqual(
    [-9, -1.5, -0.5, 0, 9].map((value) => stretchAt(stretches, value)),
    [0, 0, 1, 2, 3],
  );
});

test("the first band is of the position in focus, then those of the nearest changes", () => {
  const order = (focus, value) => banded(ROWS, focus, value).map(({ row }) => row);
  assert.deepEqual(order(2, -0.3), [2, 1]);
  assert.deepEqual(order(-1, 1.4), [2, 1]);
  assert.deepEqual(order(-1, -0.3), [1, 2]);
});

test("a position whose word does not change has no band", () => {
  assert.deepEqual(
    banded(ROWS, 0, 0).map(({ row }) => row),
    [1, 2],
  );
});

test("borders with the same text are one, and one step of the text crosses a border", () => {
  const row = place(0, "", [-1, 0.12341, "a"], [0.12341, 0.12344, "b"], [0.12344, 1, "c"]);
  assert.deepEqual(allBorders([row]), [0.12341]);
  const past = (at) => [-1, 1].map((side) => justPast(at, side, 1e-4));
  assert.deepEqual(past(0.12345), [0.123, 0.124]);
  assert.deepEqual(past(-0.19081), [-0.192, -0.19]);
  assert.deepEqual(past(3.41), [3.4, 3.42]);
  assert.deepEqual(past(0), [-1e-4, 1e-4]);
});
