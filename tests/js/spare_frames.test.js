/** What stands beside the picture is written less often where display frames come late. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { spareFrames } from "../../app/components/shared/spare_frames.js";

/** @type {number} */
let now = 0;
let swings = true;

/** @param {number} ms */
const pass = (ms) => {
  now += ms;
  mock.timers.tick(ms);
};

beforeEach(() => {
  now = 1000;
  swings = true;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  globalThis.window = /** @type {any} */ ({ tinkerformer: { oscillating: () => swings } });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** Which frames are followed, of so many. @param {number} frames @param {number} apart */
function followed(frames, apart) {
  const seen = [];
  let at = 0;
  const frame = spareFrames(() => seen.push(at));
  for (at = 1; at <= frames; at++) {
    pass(apart);
    frame();
  }
  at = frames;
  return seen;
}

test("every frame that comes in time is followed", () => {
  assert.equal(followed(100, 16).length, 100);
});

test("of late frames ten a second are followed", () => {
  const count = followed(200, 40).length;
  assert.ok(count > 60 && count < 110, String(count));
});

test("the last frame is followed, too, once no other comes", () => {
  for (const frames of [100, 101, 102]) {
    const seen = followed(frames, 40);
    pass(200);
    assert.equal(seen.at(-1), frames);
  }
});

test("where nothing swings, every frame is followed", () => {
  swings = false;
  assert.equal(followed(100, 40).length, 100);
});
