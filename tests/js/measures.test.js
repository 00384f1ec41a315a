/**
 * The benchmarks' measurements in a page with simulated time: planted delays are measured exactly.
 */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Time } from "./builders.js";

const PATH = "encoder.0.self_attn.head.0.W_q";
const DISPLAY = 16; // ms between two display frames
const PAINT = 5; // ms from the computation of a display frame to its paint

let time;
/** the numbers on the screen */
let screen;
/** the response of the page to an edit */
let answer;
let measures;

const frame = () => document.dispatchEvent(new Event("tinkerformer:frame"));

/** Paints a number and the numbers that depend on it, after `ms`. */
const show = (x, ms = 0) =>
  time.after(() => {
    screen.set(PATH, Math.fround(x)).set("output.probabilities", x);
    frame();
  }, ms);

beforeEach(async () => {
  time = new Time();
  screen = new Map([[PATH, 0.5]]);
  answer = (x) => show(x);
  const channel = class {
    port1 = { onmessage: () => {}, close: () => {} };
    port2 = { postMessage: () => time.after(() => this.port1.onmessage(), PAINT) };
  };
  const tinkerformer = {
    value: (path) => screen.get(path),
    set: (_, __, ___, x) => answer(x),
  };
  Object.assign(globalThis, {
    window: { tinkerformer },
    document: Object.assign(new EventTarget(), { querySelector: () => null }),
    requestAnimationFrame: (run) => time.after(run, DISPLAY - (time.now % DISPLAY)),
    MessageChannel: channel,
    setTimeout: (run, ms) => time.after(run, ms),
    clearTimeout: (event) => {
      event.run = () => {};
    },
  });
  Object.defineProperty(globalThis, "performance", {
    value: { now: () => time.now },
    configurable: true,
  });
  await import(`../benchmarks/measures.js?${Math.random()}`);
  measures = window.measures;
});

test("an edit takes until its frame is painted", async () => {
  answer = (x) => show(x, 100);
  const times = await time.until(measures.edits(7, PATH, 0, 0));
  assert.deepEqual(times, Array(7).fill(100 + PAINT));
});

test("a frame of another cause does not answer an edit", async () => {
  answer = (x) => {
    time.after(frame, 10);
    show(x, 60);
  };
  assert.deepEqual(await time.until(measures.edits(2, PATH, 0, 0)), [60 + PAINT, 60 + PAINT]);
});

test("an edit without an answer has no time, and after three no more are tried", async () => {
  let count = 0;
  answer = () => {
    count += 1;
  };
  assert.deepEqual(await time.until(measures.edits(200, PATH, 0, 0)), [null, null, null]);
  assert.equal(count, 3);
});

test("each number of a drag counts once, at its first paint, if it is painted", async () => {
  const painted = [];
  let isBusy = false;
  let newest = 0;
  const next = () => {
    isBusy = true;
    const x = newest;
    time.after(() => {
      painted.push(x);
      screen.set(PATH, Math.fround(x));
      frame();
      time.after(frame, 16); // the same paint again, as while a flash fades
      time.after(frame, 900);
      isBusy = false;
      if (newest !== x) next();
    }, 90);
  };
  answer = (x) => {
    newest = x;
    if (!isBusy) next();
  };
  const { lags, last } = await time.until(measures.drag(2, PATH, 0, 0));
  assert.equal(lags.length, new Set(painted).size);
  assert.ok(lags.length > 10);
  // A number waits at most for the paint of the number before.
  for (const lag of lags) assert.ok(lag >= 90 && lag <= 2 * 90 + PAINT, String(lag));
  assert.equal(last, true);
});

test("a last move that is never shown is noticed", async () => {
  answer = (x) => {
    if (x < 0.05) show(x);
  };
  const { last } = await time.until(measures.drag(1, PATH, 0, 0));
  assert.equal(last, false);
});

test("frames without a change are not counted", async () => {
  let k = 0;
  const turn = () => {
    k += 1;
    if (k % 3 === 0) screen.set(PATH, k);
    frame();
    time.after(turn, 10);
  };
  turn();
  const rate = await time.until(measures.changes(2, PATH, 0, 0));
  assert.ok(Math.abs(rate - 1000 / 30) < 1e-9, String(rate));
});

test("without frames there is no rate", async () => {
  assert.equal(await time.until(measures.changes(2, PATH, 0, 0)), null);
});
