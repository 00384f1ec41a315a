/** What the last step changed: an undo counts as a step, and all moves of a slider as one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANGED } from "../../app/board/data/flags.js";
import { Matrix } from "../../app/board/data/matrix.js";
import { StepDiff } from "../../app/board/data/step_diff.js";
import { Emphasis } from "../../app/board/focus/emphasis.js";

function page() {
  const entry = { path: "a", rows: 1, cols: 2, head: null, tex: "A" };
  const matrix = new Matrix(entry, 0);
  const trail = new StepDiff({ byIndex: [matrix], stale: new Set() });
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

test("a page that a link opens knows what its step moved, and which number began it", () => {
  const entry = { path: "a", rows: 1, cols: 2, head: null, tex: "A" };
  const matrix = new Matrix(entry, 0);
  const trail = new StepDiff({ byIndex: [matrix], stale: new Set() });
  trail.begin();
  matrix.start = Float32Array.of(3, 7); // never shown
  const news = { matrix, values: Float32Array.of(5, 7), flags: Uint8Array.of(CHANGED, 0) };
  assert.equal(trail.take([news], 10), true);
  assert.deepEqual([...(matrix.before ?? [])], [3, 7]);
  assert.deepEqual(trail.causes, [{ path: "a", i: 0, j: 0 }]);
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

test("a change that is none, or springs back, is not shown", () => {
  const { trail, show } = page();
  let isEditing = true;
  const painter = { schedule: () => {} };
  const services = {
    ...{ trail, painter },
    orbit: () => null,
    followed: () => null,
    isEditing: () => isEditing,
    hasLearned: () => false,
  };
  const emphasis = new Emphasis(services);
  const level = () => emphasis.levelAt(25);
  assert.equal(level(), 0);
  trail.begin();
  show([1, 0], 10);
  assert.deepEqual([trail.differs, level()], [true, 1]);
  show([1e-7, 0], 20); // what was pulled springs back, but for rounding
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

test("while a model learns its focus stands out in each frame, and not what changes", () => {
  const { trail, show } = page();
  let hasLearned = true;
  const services = {
    trail,
    orbit: () => null,
    followed: () => null,
    isEditing: () => false,
    hasLearned: () => hasLearned,
  };
  const emphasis = new Emphasis(services);
  trail.begin();
  show([1, 0], 10);
  assert.deepEqual([trail.differs, emphasis.levelAt(11)], [true, 0]);
  show([1, 4], 20);
  assert.equal(emphasis.levelAt(21), 0);
  hasLearned = false; // a number was changed by hand
  assert.equal(emphasis.levelAt(21) > 0.9, true);
});

test("what is out of sight and has not arrived does not count as changed", () => {
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

test("of a sentence that is rewritten, what is as it was is compared with that", () => {
  const words = ["a → writes b", "b → writes c", "c"];
  const entry = (rows) => ({
    path: "a",
    rows: rows.length,
    cols: 1,
    row_labels: rows,
    col_labels: ["d0"],
  });
  const matrix = new Matrix(entry(words), 0);
  const trail = new StepDiff({ byIndex: [matrix], stale: new Set() });
  matrix.accept(Float32Array.of(1, 2, 3), null, null);
  trail.begin();
  matrix.describe(entry(["a → writes b", "b → writes x", "x", "y"]), 0);
  const values = Float32Array.of(1, 5, 6, 7);
  assert.ok(trail.take([{ matrix, values }], 10));
  matrix.accept(values, null, null);
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => trail.moved(matrix, k)),
    [0, 3, 3, 0], // the word in its place, and what is new
  );
  assert.ok(trail.tint(matrix, 1) > 0);
});

test("a number changed by hand is a cause, also where that is undone; many are none", () => {
  const entry = { path: "a", rows: 2, cols: 4, head: null, tex: "A" };
  const matrix = new Matrix(entry, 0);
  const trail = new StepDiff({ byIndex: [matrix], stale: new Set() });
  const show = (numbers, marks) => {
    const [values, flags] = [Float32Array.from(numbers), Uint8Array.from(marks)];
    trail.begin();
    trail.take([{ matrix, values, flags }], 0);
    matrix.accept(values, flags, null);
  };
  const none = Array(8).fill(0);
  show(none, none);
  const one = none.with(5, 1);
  show(one, none.with(5, CHANGED));
  assert.deepEqual(trail.causes, [{ path: "a", i: 1, j: 1 }]);
  show(none, none);
  assert.deepEqual(trail.causes, [{ path: "a", i: 1, j: 1 }]);
  show(Array(8).fill(3), Array(8).fill(CHANGED));
  assert.deepEqual(trail.causes, []);
});

test("what a lesson begins with is no change, and ends the marks of the last one", () => {
  const { matrix, trail, show } = page();
  trail.begin();
  show([1, 0], 10);
  assert.equal(trail.differs, true);
  trail.begin(true);
  assert.equal(trail.differs, false);
  show([3, 5], 20);
  assert.deepEqual([trail.differs, trail.tint(matrix, 0)], [false, 0]);
  trail.begin();
  show([3, 6], 30);
  assert.deepEqual(
    [trail.differs, trail.shareOf(matrix, 0), trail.shareOf(matrix, 1)],
    [true, 0, 1],
  );
});
