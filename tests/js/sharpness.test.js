import assert from "node:assert/strict";
import { test } from "node:test";
import { AdaptiveResolution } from "../../app/board/picture/adaptive_resolution.js";

const SCREEN = 2;

/**
 * A picture whose frames take time in proportion to their pixels: ms without pixels, ms for all
 * pixels, and the ms between display frames.
 */
function moving({ mock }, { fixed, ofPixels, display = 0.01 }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  let mayChange = true;
  const seen = [];
  const note = () => void seen.push(sharpness.ratio(SCREEN));
  const sharpness = new AdaptiveResolution(note, () => mayChange);
  return {
    sharpness,
    seen,
    allow: (may) => {
      mayChange = may;
    },
    move(frames) {
      for (let k = 0; k < frames; k++) {
        const share = sharpness.ratio(SCREEN) / SCREEN;
        now += Math.ceil((fixed + ofPixels * share * share) / display) * display;
        sharpness.moved(now, SCREEN);
      }
    },
    rest() {
      now += 1000;
      mock.timers.tick(500);
    },
  };
}

test("frames in time have all pixels", (t) => {
  const { sharpness, seen, move } = moving(t, { fixed: 6, ofPixels: 10 });
  move(200);
  assert.deepEqual(seen, []);
  assert.equal(sharpness.ratio(SCREEN), 2);
});

test("late frames have as few pixels as needed, and all pixels when movement stops", (t) => {
  const { seen, move, rest } = moving(t, { fixed: 2, ofPixels: 30 });
  move(200);
  assert.deepEqual(seen, [1.5]);
  rest();
  assert.deepEqual(seen, [1.5, 2]);
  move(1); // one frame is not a movement
  assert.deepEqual(seen, [1.5, 2]);
  move(1); // the found number of pixels is kept
  assert.deepEqual(seen, [1.5, 2, 1.5]);
});

test("a frame has at least one pixel for each CSS px", (t) => {
  const { seen, move } = moving(t, { fixed: 2, ofPixels: 200 });
  move(500);
  assert.deepEqual(seen, [1.5, 1]);
});

test("if fewer pixels do not help, all pixels are used for good", (t) => {
  const { seen, move, rest } = moving(t, { fixed: 60, ofPixels: 1 });
  move(200);
  assert.deepEqual(seen, [1.5, 1, 2]);
  rest();
  move(200);
  assert.deepEqual(seen, [1.5, 1, 2]);
});

test("a step that helps only together with the next is taken", (t) => {
  // Frames wait for the display: 33 ms with all pixels and with 1.5, 17 with one.
  const { seen, move } = moving(t, { fixed: 10, ofPixels: 20, display: 1000 / 60 });
  move(200);
  assert.deepEqual(seen, [1.5, 1]);
});

test("the number of pixels does not change while rows move", (t) => {
  const { seen, move, rest, allow } = moving(t, { fixed: 2, ofPixels: 30 });
  move(200);
  allow(false);
  rest();
  assert.deepEqual(seen, [1.5]);
  allow(true);
  rest();
  assert.deepEqual(seen, [1.5, 2]);
});

test("a screen with one pixel for each CSS px always has all", () => {
  const sharpness = new AdaptiveResolution(assert.fail, () => true);
  for (let now = 0; now < 5000; now += 50) sharpness.moved(now, 1);
  assert.equal(sharpness.ratio(1), 1);
});
