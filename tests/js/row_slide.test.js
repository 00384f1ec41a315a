import assert from "node:assert/strict";
import { test } from "node:test";
import { sameLabels } from "../../app/board/data/same_labels.js";
import { knotsOf, moved } from "../../app/board/picture/row_slide.js";

const words = (text) => text.split(" ");

test("the rows of words that stay are found, even of a word that occurs twice", () => {
  const before = words("the black cat sat on the mat");
  assert.deepEqual(sameLabels(before, words("the black cat on the mat")), [
    ...[0, 1, 2].map((k) => [k, k]),
    ...[4, 5, 6].map((k) => [k, k - 1]),
  ]);
  assert.deepEqual(sameLabels(words("a b"), words("x a y b")), [
    [0, 1],
    [1, 3],
  ]);
});

test("another word in the same place keeps its row", () => {
  const found = sameLabels(words("the black cat"), words("the white cat"));
  assert.deepEqual(found, [
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test("among the same number of words, only words that moved have the same rows", () => {
  const before = words("le chat est assis sur le tapis noir");
  const now = words("le chat noir est assis sur le tapis");
  assert.deepEqual(sameLabels(before, now), [
    ...[0, 1].map((k) => [k, k]),
    ...[2, 3, 4, 5, 6].map((k) => [k, k + 1]),
  ]);
  const longer = words("le chat blanc est assis sur le tapis noir");
  assert.deepEqual(
    sameLabels(longer, now),
    [0, 1, 2, 3, 4, 5, 6, 7].slice(0, now.length).map((k) => [k, k]),
  );
});

test("a removed row shrinks to a line, and the rows below move up", () => {
  const before = { top: 0, rows: [20, 40, 60, 80], bottom: 130 };
  const now = { top: 0, rows: [20, 40, 60], bottom: 110 };
  const knots = knotsOf(
    [
      [
        [0, 0],
        [2, 1],
      ],
    ],
    [before],
    [now],
  );
  const goes = [30, 45, 55, 70, 105].map((y) => moved(knots, "before", y));
  assert.deepEqual(goes, [30, 40, 40, 50, 85]);
  assert.equal(moved(knots, "now", 50), 70);
  assert.equal(moved(knots, "now", 85), 105);
  for (let k = 1; k < knots.length; k++) {
    assert.ok(knots[k].before >= knots[k - 1].before);
    assert.ok(knots[k].now >= knots[k - 1].now);
  }
});
