import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";

import { beforePaint, forget } from "../../app/components/shared/display_frame.js";

let requested = [];

/** Runs the requests of one display frame; promises continue between two requests. */
async function display() {
  for (const request of requested.splice(0)) {
    request?.(16);
    await turn();
  }
}

beforeEach(() => {
  requested = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.requestAnimationFrame = (request) => requested.push(request);
  globalThis.cancelAnimationFrame = (number) => {
    requested[number - 1] = null;
  };
});
afterEach(async () => {
  await display();
  mock.timers.reset();
});

test("messages are applied before numbers are painted and words are written", async () => {
  const done = [];
  beforePaint("write", () => done.push("write"));
  beforePaint("take", () => done.push("take"));
  beforePaint("paint", () => done.push("paint"));
  assert.deepEqual(done, []);
  await display();
  assert.deepEqual(done, ["take", "paint", "write"]);
});

test("work for a later step runs in the same frame", async () => {
  const done = [];
  const answer = async () => {};
  beforePaint("take", () => {
    beforePaint("paint", () => done.push("paint"));
    answer().then(() => beforePaint("write", () => done.push("write")));
  });
  await display();
  assert.deepEqual(done, ["paint", "write"]);
});

test("work for an earlier step or the same step waits for the next frame", async () => {
  const done = [];
  beforePaint("paint", () => {
    beforePaint("take", () => done.push("take"));
    beforePaint("paint", () => done.push("paint"));
  });
  await display();
  assert.deepEqual(done, []);
  await display();
  assert.deepEqual(done, ["take", "paint"]);
});

test("work requested twice runs once, and canceled work does not run", async () => {
  const done = [];
  const work = () => done.push("work");
  const gone = () => done.push("gone");
  for (const each of [work, work, gone]) beforePaint("paint", each);
  forget("paint", gone);
  await display();
  assert.deepEqual(done, ["work"]);
});

test("an error is reported and other work still runs", async () => {
  const done = [];
  const reported = mock.fn();
  globalThis.reportError = reported;
  beforePaint("take", () => {
    throw new Error("planted");
  });
  beforePaint("take", () => done.push("take"));
  await display();
  assert.deepEqual(done, ["take"]);
  assert.equal(reported.mock.calls[0].arguments[0].message, "planted");
});

test("in a hidden page, work runs without a display frame", async () => {
  const done = [];
  for (const step of ["write", "paint", "take"]) beforePaint(step, () => done.push(step));
  mock.timers.tick(1000);
  await turn();
  assert.deepEqual(done, ["take", "paint", "write"]);
  await display();
  assert.deepEqual(done, ["take", "paint", "write"]);
});
