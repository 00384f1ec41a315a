/** The room of rows that come and go at every step of a run, and the heights of the picture. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { centered, fit, heightAt, placeDown } from "../../app/components/board/whole/camera.js";
import { heightOf } from "../../app/components/board/whole/folds.js";
import { Glide, lanesWanted } from "../../app/components/board/whole/lane_room.js";

const VIEW = { width: 1200, height: 400 };
/** @param {number} by @param {{from: number, to: number, share?: number}[]} [gaps] */
const limits = (by, gaps = []) => ({
  ...{ tall: 1, deep: 6, wide: 1, most: 40 },
  folds: { gaps, opens: 2, spaces: [{ at: 300, by }] },
});
/** @param {number} by @param {{from: number, to: number, share?: number}[]} [gaps] */
const at = (by, gaps) => centered({ x: 0, y: 200 }, 1, VIEW, limits(by, gaps));
/** @param {number} a @param {number} b */
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("a longer sentence has its room at once, a shorter one keeps it for a second", () => {
  const seen = [
    { at: 0, count: 9 },
    { at: 100, count: 20 },
    { at: 200, count: 4 },
  ];
  assert.deepEqual(lanesWanted(seen.slice(0, 2), 100), { count: 20, until: Infinity });
  assert.deepEqual(lanesWanted(seen, 200), { count: 20, until: 1200 });
  assert.deepEqual(lanesWanted(seen, 1199), { count: 20, until: 1200 });
  assert.deepEqual(lanesWanted(seen, 1200), { count: 4, until: Infinity });
});

test("a number glides, however late its frames come, and turns round where it is", () => {
  const glide = new Glide(9);
  glide.aim(20, false);
  assert.equal(glide.value, 9);
  let last = 9;
  for (let k = 0; k < 5; k++) {
    glide.step(34);
    assert.ok(glide.value > last && glide.value - last < 3, `from ${last} to ${glide.value}`);
    last = glide.value;
  }
  glide.aim(9, false);
  assert.equal(glide.value, last);
  for (let k = 0; k < 20; k++) glide.step(34);
  assert.equal(glide.value, 9);
  assert.ok(!glide.moves);
});

test("whoever wants no motion has it at once", () => {
  const glide = new Glide(9);
  glide.aim(20, true);
  assert.equal(glide.value, 20);
  assert.ok(!glide.moves);
});

test("room under the rows moves what is below and nothing above", () => {
  for (const by of [66, -44]) {
    const [before, now] = [at(0), at(by)];
    for (const y of [10, 250, 300]) close(placeDown(now, y), placeDown(before, y));
    for (const y of [301, 400]) close(placeDown(now, y), placeDown(before, y) + by);
  }
});

test("a height and its place are found from each other where there is more room, or less", () => {
  for (const by of [66, -44, 0])
    for (const share of [0, 0.4, 1]) {
      const camera = at(by, [{ from: 310, to: 350, share }]);
      const above = [10, 250];
      const below = share === 1 ? [360, 500] : [by < 0 ? 360 : 305, 330, 360, 500];
      for (const y of [...above, ...below]) close(heightAt(camera, placeDown(camera, y)), y);
    }
});

test("all of the picture fits with the room that it has now", () => {
  for (const by of [66, -44])
    for (const share of [0, 0.4, 1]) {
      const gaps = [{ from: 310, to: 350, share }];
      const height = 500 + by - heightOf(gaps);
      const own = { ...limits(by, gaps), tall: 300 / height, deep: 300 / height };
      const camera = fit({ x: 0, y: 0, width: 5000, height: 500 }, VIEW, own);
      close(placeDown(camera, 0), 50);
      close(placeDown(camera, 500), 350);
    }
});
