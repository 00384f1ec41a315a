/** Decodes bytes that Python wrote. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode } from "../../app/board/data/wire.js";

const stored = JSON.parse(readFileSync(new URL("wire_bytes.json", import.meta.url), "utf8"));

/** The bytes of a message in their own buffer. */
const message = (name) => Uint8Array.from(Buffer.from(stored[name], "base64")).buffer;

test("a frame has its matrices with values and flags", () => {
  const { entries, ...numbers } = decode(message("frame"));
  assert.deepEqual(numbers, { kind: 1, version: 11, seq: 13, frames: 1, holds: 17 });
  const [first, second] = entries;
  assert.equal(entries.length, 2);
  assert.deepEqual([first.index, first.rows, first.cols], [4, 2, 3]);
  const values = [0.5, -1.25, -Infinity, 3, Math.fround(1e-7), 65504];
  assert.deepEqual([...first.values], values);
  assert.deepEqual([...(first.flags ?? [])], [0, 1, 2, 4, 8, 7]);
  assert.equal(first.gradients, null);
  assert.deepEqual([second.index, second.rows, second.cols], [9, 1, 2]);
  assert.deepEqual([...second.values], [7, 7]);
  assert.equal(second.flags, null);
});

test("an orbit has all frames of a matrix in a row, and its gradients after them", () => {
  const orbit = decode(message("orbit"));
  assert.equal(orbit.kind, 2);
  assert.equal(orbit.frames, 3);
  const [{ index, values, gradients }] = orbit.entries;
  assert.equal(index, 5);
  assert.deepEqual([...values], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(
    [...(gradients ?? [])],
    [...values].map((v) => -v),
  );
});

test("an answer may have no matrices", () => {
  const { holds, entries } = decode(message("answer"));
  assert.equal(holds, 5);
  assert.deepEqual(entries, []);
});

test("no bytes are copied", () => {
  const bytes = message("frame");
  const [{ values }] = decode(bytes).entries;
  assert.equal(values.buffer, bytes);
});

test("other bytes are refused", () => {
  const bytes = message("frame");
  new Uint8Array(bytes)[0] += 1;
  assert.throws(() => decode(bytes), /not a message for the board/);
});
