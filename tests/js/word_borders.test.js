/** The borders of words and the sentence at a value. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allBorders,
  banded,
  justPast,
  nextTo,
  sentenceAt,
  stretchAt,
} from "../../app/features/inspector/word_borders.js";

/** @import {Words, WordRow} from "../../app/features/inspector/types.js" */

/** @type {WordRow[]} */
const ROWS = [
  { row: 0, name: "position 1", stretches: [[-2, 2, "le"]] },
  {
    row: 1,
    name: "position 2",
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
      [1.5, 2, "<eos>"],
    ],
  },
  {
    row: 3,
    name: "position 4",
    stretches: [
      [-2, 1.5, "<eos>"],
      [1.5, 2, ""],
    ],
  },
];

/** @type {Words} */
const WORDS = {
  ...{ low: -2, high: 2, rows: ROWS, end: "<eos>", between: " ", writes: true },
  ...{ read: ["le", "chat", "noir"], unread: "", dropout: false },
};

test("borders are in order, and words that change together have one", () => {
  assert.deepEqual(allBorders(ROWS), [-1, -0.24, 1.5]);
});

test("the sentence at a value is that of all places, up to the end", () => {
  const at = (/** @type {number} */ value) => sentenceAt(WORDS, value).join(" ");
  assert.equal(at(-1.5), "le lapin gris");
  assert.equal(at(-0.24), "le chat noir");
  assert.equal(at(1.5), "le chat");
});

test("of a reader's text each place has its likeliest word, also after one that ends a text", () => {
  const rows = [ROWS[3], ROWS[0]];
  assert.deepEqual(sentenceAt({ ...WORDS, rows, writes: false }, 0), ["<eos>", "le"]);
});

test("the next border on either side", () => {
  assert.equal(nextTo(ROWS, 0, -1), -0.24);
  assert.equal(nextTo(ROWS, 0, 1), 1.5);
  assert.equal(nextTo(ROWS, -1.5, -1), undefined);
  assert.equal(nextTo(ROWS, 1.9, 1), undefined);
});

test("a value is in one stretch, also beyond the ends", () => {
  const { stretches } = ROWS[2];
  assert.deepEqual(
    [-9, -1.5, -0.5, 0, 9].map((value) => stretchAt(stretches, value)),
    [0, 0, 1, 2, 3],
  );
});

test("a band is first of the place in focus, then of what changes nearest to the value", () => {
  const order = (/** @type {number} */ focus, /** @type {number} */ value) =>
    banded(WORDS, focus, value).map(({ row }) => row);
  assert.deepEqual(order(2, -0.3), [2, 1]);
  assert.deepEqual(order(-1, 1.4), [2, 1]);
  assert.deepEqual(order(-1, -0.3), [1, 2]);
});

test("a place without a band has one word, or only the end", () => {
  assert.deepEqual(
    banded(WORDS, 3, 0).map(({ row }) => row),
    [1, 2],
  );
});

test("borders that are written alike are one, and a border is passed by as little as is written", () => {
  /** @type {WordRow["stretches"]} */
  const stretches = [
    [-1, 0.12341, "a"],
    [0.12341, 0.12344, "b"],
    [0.12344, 1, "c"],
  ];
  assert.deepEqual(allBorders([{ row: 0, name: "", stretches }]), [0.12341]);
  const past = (/** @type {number} */ at) => [-1, 1].map((side) => justPast(at, side, 1e-4));
  assert.deepEqual(past(0.12345), [0.123, 0.124]);
  assert.deepEqual(past(-0.19081), [-0.192, -0.19]);
  assert.deepEqual(past(3.41), [3.4, 3.42]);
  assert.deepEqual(past(0), [-1e-4, 1e-4]);
});
