import assert from "node:assert/strict";
import { test } from "node:test";
import { REACH_LEVELS, REACHED } from "../../app/board/data/flags.js";
import { paintFound } from "../../app/board/paint/found.js";

/** @param {number} side of a cell, device px @param {number[]} flags of a row */
function framed(side, flags) {
  const frames = [];
  const strokeRect = (...box) => frames.push([...box, ctx.lineWidth, ctx.globalAlpha]);
  const ctx = { globalAlpha: 1, lineWidth: 0, strokeStyle: "", strokeRect };
  const xs = Int32Array.from({ length: flags.length + 1 }, (_, k) => k * side);
  const surface = {
    ...{ ctx, theme: { accent: "pink" }, ratio: 1, xs, ys: Int32Array.of(0, side) },
    inSight: [0, 1, 0, flags.length],
  };
  paintFound(surface, { flags, cols: flags.length });
  return frames;
}

const level = (reach) => REACHED | (reach << 5);

test("only the found cells are framed, inside their edges", () => {
  const frames = framed(10, [0, level(REACH_LEVELS), 0]);
  assert.equal(frames.length, 1);
  const [x, y, wide, tall, line] = frames[0];
  assert.ok(line >= 1.5);
  assert.deepEqual([x - line / 2, y - line / 2], [10, 0]);
  assert.deepEqual([wide + line, tall + line], [10, 10]);
  assert.equal(framed(5, [level(1)])[0][4], 1.5);
});

test("the smaller the needed change of a number, the stronger its frame", () => {
  const [[, , , , , weak], [, , , , , strong]] = framed(10, [level(1), level(REACH_LEVELS)]);
  assert.ok(weak >= 0.4 && weak < strong && strong === 1);
});
