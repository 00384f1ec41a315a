import assert from "node:assert/strict";
import { test } from "node:test";
import { heightIn, levels, pointAt } from "../../app/features/learn/chart.js";
import { TimeAxis } from "../../app/features/learn/time_axis.js";

test("a step has a place on the axis, and a place has a nearest step", () => {
  const axis = new TimeAxis(1000, 30, 44, 1000);
  assert.equal(axis.x(0), 44);
  assert.equal(axis.x(1000), 1000);
  assert.ok(axis.x(30) - axis.x(0) > axis.x(1000) - axis.x(970));
  assert.equal(axis.nearest([0, 10, 100], axis.x(14)), 10);
});

test("ticks do not overlap, and the first and the last step have one", () => {
  for (const [width, steps] of [
    [300, 1000],
    [1200, 1000],
    [1200, 5],
    [1200, 40000],
  ]) {
    const axis = new TimeAxis(steps, 30, 44, width);
    const { ticks } = axis;
    assert.equal(ticks[0], 0);
    assert.equal(ticks.at(-1), steps);
    for (let k = 1; k < ticks.length; k++)
      assert.ok(axis.x(ticks[k]) - axis.x(ticks[k - 1]) >= (k === 1 ? 56 : 40), `${ticks}`);
  }
});

test("a scale has a few round numbers from 0 on", () => {
  assert.deepEqual(levels(100), [0, 50, 100]);
  assert.deepEqual(levels(4.2), [0, 1, 2, 3, 4]);
  assert.deepEqual(levels(0.9), [0, 0.25, 0.5, 0.75]);
  for (const highest of [0.3, 1, 3.5, 7, 42, 100, 380]) {
    const found = levels(highest);
    assert.ok(found.length >= 2 && found.length <= 6, `${highest}: ${found}`);
    assert.ok(found.every((each) => each <= highest + 1e-9));
  }
});

test("a step has the value of the last point up to it, drawn within its band", () => {
  const list = [
    [10, 1],
    [20, 2],
  ];
  assert.deepEqual(
    [5, 10, 19, 20, 99].map((step) => pointAt(list, step)?.[1] ?? null),
    [null, 1, 1, 2, 2],
  );
  const band = { name: "right", top: 20, height: 100, highest: 100 };
  assert.deepEqual(
    [0, 50, 100, 120].map((x) => heightIn(band, x)),
    [120, 70, 20, 20],
  );
});
