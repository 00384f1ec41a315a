/** The borders of words: in order, each once, and which is crossed or next. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allBorders,
  bordersNear,
  crossed,
  effectText,
  inOrder,
  justPast,
  nextTo,
  stretchAt,
  wordPast,
} from "../../app/components/inspector/word_borders.js";

/** @type {import("../../app/components/inspector/types.js").WordRow[]} */
const ROWS = [
  {
    row: 1,
    name: "after “le”",
    stretches: [
      [-2, -0.24, "lapin"],
      [-0.24, 2, "chat"],
    ],
  },
  {
    row: 2,
    name: "after “le chat”",
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
    { at: -1, row: 2, name: "after “le chat”", before: "gris", after: "blanc", more: 0 },
    { at: -0.24, row: 1, name: "after “le”", before: "lapin", after: "chat", more: 1 },
    { at: 1.5, row: 2, name: "after “le chat”", before: "noir", after: "", more: 0 },
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
  const near = (/** @type {number} */ apart, /** @type {number} */ value) =>
    bordersNear(ROWS, apart, value).map(({ at }) => at);
  assert.deepEqual(near(0.5, 0), [-1, -0.24, 1.5]);
  assert.deepEqual(near(1, 0), [-0.24, 1.5]);
  assert.deepEqual(near(1, -0.9), [-1, 1.5]);
});

test("first the row in focus, then what changes nearest to the value", () => {
  const order = (/** @type {number} */ focus, /** @type {number} */ value) =>
    inOrder(ROWS, focus, value).map(({ row }) => row);
  assert.deepEqual(order(2, -0.3), [2, 1]);
  assert.deepEqual(order(-1, 1.4), [2, 1]);
  assert.deepEqual(order(-1, -0.3), [1, 2]);
});

test("borders that are written alike are one, and a border is passed by as little as is written", () => {
  const [, { row, name }] = ROWS;
  /** @type {[number, number, string][]} */
  const stretches = [
    [-1, 0.12341, "a"],
    [0.12341, 0.12344, "b"],
    [0.12344, 1, "c"],
  ];
  assert.deepEqual(allBorders([{ row, name, stretches }]), [
    { at: 0.12341, row, name, before: "a", after: "c", more: 0 },
  ]);
  const past = (/** @type {number} */ at) => [-1, 1].map((side) => justPast(at, side, 1e-4));
  assert.deepEqual(past(0.12345), [0.123, 0.124]);
  assert.deepEqual(past(-0.19081), [-0.192, -0.19]);
  assert.deepEqual(past(3.41), [3.4, 3.42]);
  assert.deepEqual(past(0), [-1e-4, 1e-4]);
});

test("what a border means is said in words", () => {
  const border = (/** @type {string} */ before, /** @type {string} */ after) => {
    return { at: 0.72, row: 8, name: "after “le tapis”", before, after, more: 0 };
  };
  const said = (/** @type {string} */ before, /** @type {string} */ after, side = 1) =>
    effectText(border(before, after), side, "<eos>", "tapis");
  assert.equal(said("noir", "blanc"), "“blanc” instead of “noir” after “tapis”");
  assert.equal(said("noir", "blanc", -1), "“noir” instead of “blanc” after “tapis”");
  assert.equal(said("noir", "<eos>"), "it stops after “tapis”");
  assert.equal(said("<eos>", "noir"), "it does not stop after “tapis” but writes “noir”");
  assert.equal(said("<eos>", ""), "it has stopped before");
  assert.equal(said("noir", ""), "it stops before “noir”");
  assert.equal(said("", "noir"), "it goes on after “tapis”: “noir”");
  assert.equal(effectText(border("a", "<eos>"), 1, "<eos>", ""), "it stops at the start");
});

test("of words that change together, one that is written is named before one that is not", () => {
  const rows = [
    {
      row: 8,
      name: "after “le tapis”",
      stretches: [
        [-1, 0.5, "<eos>"],
        [0.5, 1, ""],
      ],
    },
    {
      row: 7,
      name: "after “sur le”",
      stretches: [
        [-1, 0.5, "tapis"],
        [0.5, 1, "<eos>"],
      ],
    },
  ];
  const found = allBorders(
    /** @type {import("../../app/components/inspector/types.js").WordRow[]} */ (rows),
  );
  assert.deepEqual(found, [
    { at: 0.5, row: 7, name: "after “sur le”", before: "tapis", after: "<eos>", more: 1 },
  ]);
});

test("the word of another row is the one on the same side of the border", () => {
  assert.equal(wordPast(ROWS, 1, -0.24, -1), "lapin");
  assert.equal(wordPast(ROWS, 1, -0.24, 1), "chat");
  assert.equal(wordPast(ROWS, 5, 0, 1), null);
});
