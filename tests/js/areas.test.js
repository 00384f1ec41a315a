import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "../../app/shell/layout.js";

const at = (width, open = {}) => layout({ width }, open);

test("the page has three ranges of width", () => {
  const kinds = [320, 599, 600, 1099, 1100, 2560].map((width) => at(width).kind);
  assert.deepEqual(kinds, ["phone", "phone", "tablet", "tablet", "desk", "desk"]);
});

test("in a wide window a selection fills the side column and moves no area", () => {
  const { areas, right } = at(1440, { side: true });
  assert.equal(areas, '"main side" 1fr "under side" 0px / minmax(0, 1fr) var(--inspector)');
  assert.equal(right, "var(--inspector)");
  assert.equal(at(1440, { side: true, inspector: true }).areas, areas);
  assert.equal(at(1440, { side: true, pull: true }).areas, areas);
});

test("gradients are at the end of the side column and move nothing in it", () => {
  const open = at(1440, { side: true, plane: true });
  assert.notEqual(open.below, "0px");
  assert.deepEqual({ ...open, below: "0px" }, at(1440, { side: true }));
  const pulled = at(1440, { side: true, plane: true, pull: true });
  assert.deepEqual(pulled, at(1440, { side: true, pull: true }));
});

test("a lesson is in the side column, above the number that is selected", () => {
  const alone = at(1440, { lesson: true });
  const both = at(1440, { lesson: true, inspector: true });
  assert.equal(alone.above, "0px");
  assert.equal(both.above, both.upper);
  assert.notEqual(both.upper, alone.upper);
  assert.equal(both.areas, alone.areas);
});

test("the drawer takes the height of its area only from the view", () => {
  const { areas, under } = at(1440, { drawer: true });
  const [before, after] = at(1440).areas.split('under side" 0px');
  assert.equal(areas, `${before}under side" ${under}${after}`);
  assert.notEqual(under, "0px");
});

test("the height of a drawer depends on the kind of window", () => {
  const heights = [420, 768, 1440].map((width) => at(width, { drawer: true }).under);
  assert.deepEqual(heights, ["50dvh", "min(34dvh, 360px)", "min(38dvh, 360px)"]);
});

test("a tall drawer does not cover the line that opens it", () => {
  for (const width of [1440, 1024, 420])
    assert.match(at(width, { drawer: true, tall: true }).under, /^calc\(100dvh .*--forms\)\)$/);
});

test("a lesson is below the view if the window has no side column", () => {
  for (const width of [1099, 420]) {
    const { areas, under } = at(width, { lesson: true });
    assert.equal(areas, '"main" 1fr "under" 33dvh / minmax(0, 1fr)');
    assert.equal(under, "33dvh");
  }
  assert.equal(at(1440, { lesson: true }).under, "0px");
});

test("a sheet covers the view and makes the page higher by its height", () => {
  const { under, sheet, more, areas } = at(420, { inspector: true });
  assert.equal(under, "0px");
  assert.equal(more, sheet);
  assert.equal(areas, `"main" 1fr "under" ${sheet} / minmax(0, 1fr)`);
  // A sheet over a drawer or a lesson does not change the areas either.
  const over = at(420, { inspector: true, drawer: true });
  assert.equal(over.areas, at(420, { drawer: true }).areas);
  assert.equal(over.more, "0px");
});

test("a sheet is low until it is raised, and does not cover the pressed number", () => {
  const sheetAt = (width, open = {}) => at(width, { inspector: true, ...open }).sheet;
  for (const width of [420, 1024]) {
    const [, low] = /, (\d+)px\)$/.exec(sheetAt(width)) ?? [];
    assert.ok(Number(low) < 100, low); // the height of what is below the rows of the picture
    assert.equal(sheetAt(width, { above: 640 }).startsWith("clamp(48px, 100dvh - 640px - "), true);
    assert.equal(sheetAt(width, { raised: true }), "calc(50dvh - var(--bar, 0px))");
  }
});

test("a film takes the whole width of any window", () => {
  for (const width of [1440, 1024, 420]) {
    const open = { film: true, lesson: true, drawer: true, inspector: true };
    assert.equal(at(width, open).areas, '"main" 1fr "under" auto / minmax(0, 1fr)');
  }
});
