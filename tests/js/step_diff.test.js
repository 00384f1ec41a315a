import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANGED } from "../../app/board/data/flags.js";
import { Matrix } from "../../app/board/data/matrix.js";
import { StepDiff } from "../../app/board/data/step_diff.js";
import { emphasisOf, entry } from "./builders.js";

/** A page with one matrix whose numbers are 0, or not there yet. */
function page(described = entry("a", 1, 2), isShown = true) {
  const matrix = new Matrix(described, 0);
  const trail = new StepDiff({ byIndex: [matrix], stale: new Set() });
  const show = (numbers, now = 0, marks = []) => {
    const [values, flags] = [Float32Array.from(numbers), Uint8Array.from(marks)];
    const isNew = trail.take([{ matrix, values, flags }], now);
    matrix.accept(values, flags, null);
    return isNew;
  };
  const step = (...shown) => {
    trail.begin();
    return show(...shown);
  };
  const shares = () => [trail.shareOf(matrix, 0), trail.shareOf(matrix, 1)];
  if (isShown) show(Array(matrix.cells).fill(0));
  return { matrix, trail, show, step, shares };
}

test("an undo right after an edit shows what moved back", () => {
  const { step, shares } = page();
  step([1, 0], 10);
  assert.deepEqual(shares(), [1, 0]);
  step([0, 0], 20);
  assert.deepEqual(shares(), [1, 0]);
});

test("a page opened by a link knows the numbers that its step moved, and the cause", () => {
  const { matrix, trail, show } = page(entry("a", 1, 2), false);
  trail.begin();
  matrix.start = Float32Array.of(3, 7); // never shown
  assert.equal(show([5, 7], 10, [CHANGED, 0]), true);
  assert.deepEqual([...(matrix.before ?? [])], [3, 7]);
  assert.deepEqual(trail.causes, [{ path: "a", i: 0, j: 0 }]);
});

test("a slider that pauses within one drag makes one step", () => {
  const { matrix, show, step } = page();
  step([1, 0], 10);
  show([1, 2], 60_000);
  assert.deepEqual([...(matrix.before ?? [])], [0, 0]);
});

test("the moved numbers of a step are kept until another step moves a number", () => {
  const { matrix, trail, step } = page();
  step([1, 0], 10);
  step([1, 0], 20);
  assert.equal(trail.shareOf(matrix, 0), 1);
  matrix.describe(matrix.entry, 0); // another view of the same matrix
  assert.equal(trail.shareOf(matrix, 0), 1);
});

test("a difference by rounding does not count as a move", () => {
  const { matrix, trail, show, step } = page();
  show([5, 1e-7], 10);
  step([5.00001, 0], 20);
  assert.deepEqual([...(matrix.before ?? [])], [0, 0]); // still part of the previous step
  step([5.01, 0], 30);
  assert.equal(trail.shareOf(matrix, 0) > 0, true);
});

test("an edit that changes nothing, or is taken back, is not shown", () => {
  const { trail, show, step } = page();
  let isEditing = true;
  const emphasis = emphasisOf({ trail, isEditing: () => isEditing });
  const level = () => emphasis.levelAt(25);
  assert.equal(level(), 0);
  step([1, 0], 10);
  assert.deepEqual([trail.differs, level()], [true, 1]);
  show([1e-7, 0], 20); // the pulled number returns, except for rounding
  assert.deepEqual([trail.differs, level()], [false, 0]);
  show([2, 0], 22);
  assert.deepEqual([trail.differs, level()], [true, 1]);
  isEditing = false;
  emphasis.ended = 25;
  Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
  assert.deepEqual(
    [25, 225, 425, 9000].map((now) => emphasis.levelAt(now)),
    [1, 0.5, 0, 0],
  );
});

test("while a model learns, the focus stands out in each frame, not the changed numbers", () => {
  const { trail, show, step } = page();
  let hasLearned = true;
  const emphasis = emphasisOf({ trail, hasLearned: () => hasLearned });
  step([1, 0], 10);
  assert.deepEqual([trail.differs, emphasis.levelAt(11)], [true, 0]);
  show([1, 4], 20);
  assert.equal(emphasis.levelAt(21), 0);
  hasLearned = false; // a number was changed by hand
  assert.equal(emphasis.levelAt(21) > 0.9, true);
});

test("a matrix out of sight, whose numbers have not arrived, does not count as changed", () => {
  const [seen, unseen] = [0, 1].map((k) => new Matrix({ path: `m${k}`, rows: 1, cols: 1 }, k));
  const stale = new Set();
  const trail = new StepDiff({ byIndex: [seen, unseen], stale });
  const show = (value, ...matrices) => {
    const news = matrices.map((matrix) => ({ matrix, values: Float32Array.of(value) }));
    trail.take(news, 10);
    for (const { matrix, values } of news) matrix.accept(values, null, null);
  };
  show(0, seen, unseen);
  trail.begin();
  show(1, seen, unseen);
  stale.add(unseen);
  show(0, seen);
  assert.equal(trail.differs, false);
});

test("rows of a rewritten sentence are compared with the rows of the same words before", () => {
  const words = ["a → writes b", "b → writes c", "c"];
  const column = (rows) => entry("a", rows.length, 1, { row_labels: rows, col_labels: ["d0"] });
  const { matrix, trail, show } = page(column(words));
  show([1, 2, 3]);
  trail.begin();
  matrix.describe(column(["a → writes b", "b → writes x", "x", "y"]), 0);
  assert.ok(show([1, 5, 6, 7], 10));
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => trail.moved(matrix, k)),
    [0, 3, 3, 0], // the changed word in place, and the new word
  );
});

test("a number changed by hand is a cause, even when undone; many numbers are none", () => {
  const { trail, step } = page(entry("a", 2, 4));
  const none = Array(8).fill(0);
  step(none, 0, none);
  step(none.with(5, 1), 0, none.with(5, CHANGED));
  assert.deepEqual(trail.causes, [{ path: "a", i: 1, j: 1 }]);
  step(none, 0, none);
  assert.deepEqual(trail.causes, [{ path: "a", i: 1, j: 1 }]);
  step(Array(8).fill(3), 0, Array(8).fill(CHANGED));
  assert.deepEqual(trail.causes, []);
});

test("the first numbers of a lesson are no change, and remove the marks of the last step", () => {
  const { trail, show, step, shares } = page();
  step([1, 0], 10);
  assert.equal(trail.differs, true);
  trail.begin(true);
  assert.equal(trail.differs, false);
  show([3, 5], 20);
  assert.deepEqual([trail.differs, ...shares()], [false, 0, 0]);
  step([3, 6], 30);
  assert.deepEqual([trail.differs, ...shares()], [true, 0, 1]);
});
