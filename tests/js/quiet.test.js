import assert from "node:assert/strict";
import { test } from "node:test";
import { heightOf, isFolded } from "../../app/board/picture/folds.js";
import { isQuiet, leftOut, showsBars } from "../../app/board/picture/quiet.js";

const SECONDARY = {
  formulas: [{ from: 0, to: 24 }],
  lines: [{ from: 42, to: 58 }],
  strips: [{ from: 58, to: 78 }],
  weights: [{ from: 250, to: 320 }],
};
const NAMES = [...["isAsked", "isOpened", "isTold", "isReached", "isTrained"]];
/** Returns where labels of each kind, and weights, are shown. */
const AT = { formulas: 20, lines: 55, strips: 70, weights: 280 };

/** All combinations of reasons. */
const everyReason = () =>
  Array.from({ length: 2 ** NAMES.length }, (_, bits) => {
    const chosen = NAMES.map((name, k) => [name, Boolean(bits & (1 << k))]);
    return Object.fromEntries(chosen);
  });

/** @param {number} height of the view, in units of the picture */
function shownAt(reasons, height, zoom = 1) {
  const rowOf = (gaps) => (22 * height) / (320 - heightOf(gaps));
  const gaps = leftOut(SECONDARY, reasons, rowOf).toSorted((a, b) => a.from - b.from);
  const camera = { zoom, folds: { gaps, opens: 1.4 } };
  const isShown = (y) => !isFolded(camera, y);
  const shown = Object.fromEntries(Object.entries(AT).map(([kind, y]) => [kind, isShown(y)]));
  return { ...shown, isQuiet: isQuiet(reasons, camera) };
}

const NONE = everyReason()[0];

test("at first the picture shows the task of each part, but no symbols and no weights", () => {
  const quiet = { formulas: false, lines: true, strips: false, weights: false, isQuiet: true };
  for (const height of [320, 640, 2000]) assert.deepEqual(shownAt(NONE, height), quiet);
});

test("when zoomed in, all labels are shown", () => {
  const all = { formulas: true, lines: true, strips: true, weights: true, isQuiet: false };
  for (const reasons of everyReason()) assert.deepEqual(shownAt(reasons, 320, 1.4), all);
});

test("each reason shows weights and symbols if rows are high enough", () => {
  for (const reasons of everyReason().slice(1)) {
    const all = { formulas: false, lines: true, strips: true, weights: true, isQuiet: false };
    assert.deepEqual(shownAt(reasons, 640), all);
  }
});

test("during training, weights are shown only beside high rows", () => {
  const trained = { ...NONE, isTrained: true };
  assert.ok(shownAt(trained, 640).weights);
  for (const height of [150, 180]) assert.ok(!shownAt(trained, height).weights);
});

test("weights that are named or selected are shown even beside low rows", () => {
  for (const reasons of everyReason())
    if (reasons.isTold || reasons.isReached)
      for (const height of [20, 80, 150, 640]) assert.ok(shownAt(reasons, height).weights);
});

test("the lower the view, the more labels are omitted", () => {
  for (const reasons of everyReason()) {
    let before = 0;
    for (let height = 160; height < 700; height += 20) {
      const now = Object.values(shownAt(reasons, height)).filter(Boolean).length;
      assert.ok(now >= before, `${JSON.stringify(reasons)} at ${height}`);
      before = now;
    }
  }
});

test("large bars stay while a number is selected, and give way to requested numbers", () => {
  const camera = { zoom: 1, folds: { opens: 1.4 } };
  assert.ok(showsBars(NONE, camera) && !showsBars(NONE, { ...camera, zoom: 1.4 }));
  for (const name of NAMES) {
    assert.equal(showsBars({ ...NONE, [name]: true }, camera), name === "isReached", name);
  }
});
