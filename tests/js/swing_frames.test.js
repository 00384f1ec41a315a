import assert from "node:assert/strict";
import { test } from "node:test";
import { SwingFrames } from "../../app/board/data/swing_frames.js";
import { entry, matrix } from "./builders.js";

const message = { path: "a", i: 0, j: 1, values: [-2, -1, 0, 1, 2], period: 2 };

/** An oscillation that has started at a value. */
function begun(value, isFalling = false) {
  const orbit = new SwingFrames(message);
  orbit.startAt(value, isFalling);
  orbit.advance(0);
  return orbit;
}

test("it starts at the sample nearest to the value on screen", () => {
  const orbit = begun(0.8);
  assert.equal(orbit.shown, 3);
  assert.equal(orbit.falling, false);
});

test("it continues in the direction of the last change", () => {
  const orbit = begun(1, true);
  assert.equal(orbit.shown, 3);
  assert.equal(orbit.falling, true);
  orbit.advance(200);
  assert.ok(orbit.shown < 3);
});

test("in one period it goes up and down once, at any frame rate", () => {
  const orbit = new SwingFrames(message);
  orbit.startAt(-2, false);
  const seen = [];
  for (let now = 0; now <= 2000; now += 10) if (orbit.advance(now)) seen.push(orbit.shown);
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 3, 2, 1, 0]);
});

test("after a pause it continues from the same sample", () => {
  const orbit = begun(0);
  orbit.advance(60_000);
  assert.ok(orbit.phase < Math.PI / 2 + 0.3);
});

test("while held, it stays at one sample", () => {
  const orbit = begun(0);
  orbit.held = true;
  for (let now = 0; now < 3000; now += 16) assert.equal(orbit.advance(now), false);
});

test("a matrix shows the frame of the clock, and keeps the last when the oscillation ends", () => {
  const orbit = begun(1);
  const swinging = matrix(entry("a", 1, 2), [9, 9]);
  const values = Float32Array.from({ length: 10 }, (_, k) => k); // five frames
  const all = { values, gradients: values.map((each) => -each) };
  swinging.frames = all;
  orbit.add(swinging);
  assert.deepEqual([...(swinging.values ?? [])], [6, 7]);
  assert.deepEqual([...(swinging.gradients ?? [])], [-6, -7]);
  orbit.end();
  all.values.fill(0);
  assert.equal(swinging.frames, null);
  assert.deepEqual([...(swinging.values ?? [])], [6, 7]);
});

test("the same oscillation is recognized", () => {
  const orbit = new SwingFrames(message);
  assert.ok(orbit.isSame({ ...message, values: [...message.values] }));
  assert.ok(!orbit.isSame({ ...message, period: 3 }));
  assert.ok(!orbit.isSame({ ...message, j: 0 }));
  assert.ok(!orbit.isSame({ ...message, values: [-2, -1, 0, 1, 3] }));
});
