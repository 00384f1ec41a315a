/** The borders of words: in order, each once, and which is crossed or next. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allBorders,
  bordersNear,
  crossed,
  nextTo,
  stretchAt,
} from "../../app/components/inspector/word_borders.js";

/** @type {import("../../app/components/inspector/types.js").WordRow[]} */
const ROWS = [
  {
    row: 1,
    name: "word 2",
    stretches: [
      [-2, -0.24, "lapin"],
      [-0.24, 2, "chat"],
    ],
  },
  {
    row: 2,
    name: "word 3",
    stretches: [
      [-2, -1, "gris"],
      [-1, -0.24, "blanc"],
      [-0.24, 1.5, "noir"],
      [1.5, 2, ""],
    ],
  },
];

test("borders are in order, and words that change together are one", () => {
  assert.deepEqual(allBorders(ROWS), [
    { at: -1, before: "gris", after: "blanc", more: 0 },
    { at: -0.24, before: "lapin", after: "chat", more: 1 },
    { at: 1.5, before: "noir", after: "", more: 0 },
  ]);
});

test("of several that are passed at once, the last is said", () => {
  assert.equal(crossed(ROWS, -2, 0)?.at, -0.24);
  assert.equal(crossed(ROWS, 0, -2)?.at, -1);
  assert.equal(crossed(ROWS, 0, 1), undefined);
  assert.equal(crossed(ROWS, 1, 1.5)?.at, 1.5);
});

test("the next border on either side", () => {
  assert.equal(nextTo(ROWS, 0, -1)?.at, -0.24);
  assert.equal(nextTo(ROWS, 0, 1)?.at, 1.5);
  assert.equal(nextTo(ROWS, -1.5, -1), undefined);
  assert.equal(nextTo(ROWS, 1.9, 1), undefined);
});

test("a value is in one stretch, also beyond the ends", () => {
  const { stretches } = ROWS[1];
  assert.deepEqual(
    [-9, -1.5, -0.5, 0, 9].map((value) => stretchAt(stretches, value)),
    [0, 0, 1, 2, 3],
  );
});

test("numbers of borders that are too near have no room", () => {
  assert.deepEqual(bordersNear(ROWS, 0.5), [-1, -0.24, 1.5]);
  assert.deepEqual(bordersNear(ROWS, 1), [-1, 1.5]);
});
