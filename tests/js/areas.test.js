/** The areas of the page, by the width of the window and what is open. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../app/page/layout.js";

/** @typedef {import("../../app/page/layout.js").Open} Open */

/** @param {number} width @param {Open} [open] */
const at = (width, open = {}) => layout({ width }, open);

test("there are three kinds of width", () => {
  const kinds = [320, 599, 600, 1099, 1100, 2560].map((width) => at(width).kind);
  assert.deepEqual(kinds, ["phone", "phone", "tablet", "tablet", "desk", "desk"]);
});

test("a desk has the side column beside the view and what is under it", () => {
  const { template, under } = at(1440);
  assert.equal(template, '"main side" 1fr "under side" 0px / minmax(0, 1fr) var(--right)');
  assert.equal(under, "0px");
});

test("the drawer takes the height of its own area from the view alone", () => {
  const { template, under } = at(1440, { drawer: true });
  const [before, after] = at(1440).template.split("0px");
  assert.equal(template, `${before}${under}${after}`);
  assert.notEqual(under, "0px");
});

test("a tall drawer leaves the line that opens it", () => {
  for (const width of [1440, 1024, 420])
    assert.match(at(width, { drawer: true, tall: true }).under, /^calc\(100dvh .*--forms\)\)$/);
});

test("a lesson is beside the view, and under it where the window is narrow", () => {
  assert.match(at(1440, { lesson: true }).template, /^"lesson main side" .* var\(--lesson\) /);
  const narrow = at(420, { lesson: true });
  assert.doesNotMatch(narrow.template, /lesson/);
  assert.equal(narrow.under, "33dvh");
  assert.equal(at(1440, { lesson: true }).under, "0px");
});

test("a sheet is higher than what is open below it", () => {
  const { under } = at(420, { sheet: true });
  assert.equal(at(420, { sheet: true, drawer: true, lesson: true }).under, under);
});

test("a film has all of the width at any width", () => {
  for (const width of [1440, 1024, 420]) {
    const open = { film: true, lesson: true, drawer: true };
    assert.equal(at(width, open).template, '"main" 1fr "under" auto / minmax(0, 1fr)');
  }
});
