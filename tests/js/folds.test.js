import assert from "node:assert/strict";
import { test } from "node:test";
import {
  between,
  centered,
  fit,
  heightAt,
  panned,
  placeDown,
  within,
  zoomed,
} from "../../app/board/picture/camera.js";
import { foldedTo, heightOf, isFolded } from "../../app/board/picture/folds.js";

const gaps = [
  { from: 0, to: 24 },
  { from: 42, to: 78 },
  { from: 250, to: 400 },
];
const VIEW = { width: 1200, height: 260 };
const LIMITS = { tall: 0.6, deep: 6, wide: 2, most: 40, folds: { gaps, opens: 2 } };
const HEIGHTS = [30, 60, 100, 249, 320, 401, 700];
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
const at = (zoom) => centered({ x: 500, y: 300 }, zoom, VIEW, LIMITS);

test("a folded part has no height when zoomed out, and its full height when zoomed in", () => {
  close(foldedTo(at(1), 700), 700 - heightOf(gaps));
  close(foldedTo(at(2), 700), 700);
  for (const y of [10, 60, 78, 300]) assert.ok(isFolded(at(1), y) && !isFolded(at(2), y));
  for (const y of [30, 42, 100, 401]) assert.ok(!isFolded(at(1), y));
  let last = foldedTo(at(1), 700);
  for (let zoom = 1; zoom <= 2.2; zoom += 0.05) {
    const now = foldedTo(at(zoom), 700);
    assert.ok(now >= last - 1e-9, "it unfolds without a step back");
    last = now;
  }
});

test("a part that stays shut has no height when zoomed in either", () => {
  const shut = gaps.map((gap, k) => ({ ...gap, staysShut: k === 2 }));
  const near = { ...at(3), folds: { gaps: shut, opens: 2 } };
  close(foldedTo(near, 700), 550);
  assert.ok(isFolded(near, 300) && !isFolded(near, 60));
  close(heightAt(near, placeDown(near, 420)), 420);
});

test("a height and its place in the view can be converted both ways", () => {
  for (const zoom of [1, 1.75, 1.9, 2, 9]) {
    const camera = at(zoom);
    for (const y of HEIGHTS) {
      const found = heightAt(camera, placeDown(camera, y));
      if (isFolded(camera, y)) close(placeDown(camera, found), placeDown(camera, y));
      else close(found, y);
    }
  }
});

test("the fitted picture contains all that is not folded", () => {
  const camera = fit({ x: 0, y: 0, width: 1000, height: 700 }, VIEW, LIMITS);
  close(placeDown(camera, 0) + placeDown(camera, 700), VIEW.height);
  close(placeDown(camera, 700) - placeDown(camera, 0), (700 - heightOf(gaps)) * 0.6);
});

test("a fitted part is in the view, even if the zoom unfolds it", () => {
  const limits = { ...LIMITS, tall: 0.1, wide: 1, folds: { gaps, opens: 0.6 } };
  let unfolded = 0;
  for (let width = 100; width <= 4000; width += 50)
    for (const [y, height] of [
      [0, 700],
      [30, 300],
      [200, 120],
      [240, 400],
    ]) {
      const camera = fit({ x: 0, y, width, height }, VIEW, limits);
      assert.ok(placeDown(camera, y) >= -1e-6, `${width} ${y}`);
      assert.ok(placeDown(camera, y + height) <= VIEW.height + 1e-6, `${width} ${y}`);
      if (!isFolded(camera, 300)) unfolded++;
    }
  assert.ok(unfolded > 20);
});

test("unfolding keeps the place under the pointer", () => {
  let camera = fit({ x: 0, y: 0, width: 1000, height: 700 }, VIEW, LIMITS);
  const y = heightAt(camera, 90);
  assert.ok(!isFolded(camera, y));
  for (const factor of [1.2, 1.2, 1.1, 1.3, 2, 0.4, 0.5]) {
    camera = zoomed(camera, factor, 300, 90, 0.5);
    close(placeDown(camera, y), 90);
  }
});

test("a drag moves the picture as far as the pointer, even over folded parts", () => {
  for (const zoom of [1, 1.8]) {
    const camera = at(zoom);
    for (const dy of [-90, 40, 200])
      close(placeDown(panned(camera, 0, dy), 100), placeDown(camera, 100) + dy);
    const kept = within(panned(camera, 0, -1e5), { width: 1000, height: 700 }, VIEW);
    assert.ok(placeDown(kept, 700) > 0);
  }
});

test("a flight to a folded part ends there", () => {
  const [from, to] = [at(1), centered({ x: 100, y: 320 }, 3, VIEW, LIMITS)];
  close(placeDown(between(from, to, 0, VIEW), heightAt(from, 130)), 130);
  assert.deepEqual(between(from, to, 1, VIEW), to);
  assert.ok(Math.abs(placeDown(between(from, to, 0.9999, VIEW), 320) - 130) < 1);
});
