/** The SIMD matrix product against three loops, for all memory layouts that NumPy passes. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const FOLDER = new URL("../../app/transport/worker/", import.meta.url);
const ROOM = 1 << 16;
const SCRATCH = 1024;
const DATA = SCRATCH + 128 + ROOM;

async function assembled(text) {
  const { default: wabt } = await import("wabt");
  const module = (await wabt()).parseWat("matmul.wat", text, { simd: true });
  module.validate();
  return module.toBinary({}).buffer;
}

test("what is shipped is the assembly of what can be read", async () => {
  const text = await readFile(new URL("matmul.wat", FOLDER), "utf8");
  const shipped = await readFile(new URL("matmul.wasm", FOLDER));
  assert.deepEqual(new Uint8Array(shipped), new Uint8Array(await assembled(text)));
});

/** The loop in its own memory; `left` counts the cases that it passes to the original loop. */
async function loaded() {
  const memory = new WebAssembly.Memory({ initial: 64 });
  const table = new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  const calls = { left: 0 };
  const loop = await assembled(`(module
      (import "t" "call" (func $call))
      (func (export "loop") (param i32 i32 i32 i32) (call $call)))`);
  const call = () => {
    calls.left += 1;
  };
  const own = await WebAssembly.instantiate(loop, { t: { call } });
  table.set(0, own.instance.exports.loop);
  const constant = (value) => new WebAssembly.Global({ value: "i32" }, value);
  const bytes = await readFile(new URL("matmul.wasm", FOLDER));
  const places = { original: constant(0), scratch: constant(SCRATCH), room: constant(ROOM) };
  const numpy = { memory, table, ...places };
  const { instance } = await WebAssembly.instantiate(bytes, { numpy });
  return { memory, calls, matmul: instance.exports.matmul };
}

/** A random matrix at an address, with strides in bytes. */
function laid(floats, at, rows, columns, { transposed = false, gap = 1 } = {}) {
  const steps = transposed ? [4 * gap, 4 * gap * rows] : [4 * gap * columns, 4 * gap];
  const cell = (i, j) => (at + i * steps[0] + j * steps[1]) >> 2;
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < columns; j += 1) floats[cell(i, j)] = Math.random() - 0.5;
  return { steps, cell, end: at + 4 * gap * rows * columns };
}

/** The expected results by address, computed by three loops. */
function product(floats, [left, right, result], [m, n, p]) {
  const expected = new Map();
  for (let i = 0; i < m; i += 1) {
    for (let j = 0; j < p; j += 1) {
      let sum = 0;
      for (let k = 0; k < n; k += 1) sum += floats[left.cell(i, k)] * floats[right.cell(k, j)];
      expected.set(result.cell(i, j), sum);
    }
  }
  return expected;
}

const LAYOUTS = [
  {},
  { a: { transposed: true } },
  { b: { transposed: true } },
  { out: { transposed: true } },
  { a: { gap: 2 }, b: { gap: 3 }, out: { gap: 2 } },
];
const SIZES = [
  [8, 8, 8],
  [9, 33, 21],
  [1, 300, 3],
  [5, 16, 24],
  [4, 64, 9],
  [31, 1, 40],
];

test("products are those of three loops, and nothing beside them is touched", async () => {
  const { memory, matmul, calls } = await loaded();
  for (const [m, n, p] of SIZES) {
    for (const { a = {}, b = {}, out = {} } of LAYOUTS) {
      const floats = new Float32Array(memory.buffer);
      floats.fill(7);
      const left = laid(floats, DATA, m, n, a);
      const right = laid(floats, left.end + 64, n, p, b);
      const result = laid(floats, right.end + 64, m, p, out);
      const before = floats.slice();
      const ints = new Int32Array(memory.buffer);
      ints.set([DATA, left.end + 64, right.end + 64], 0);
      ints.set([1, m, n, p], 16);
      ints.set([0, 0, 0, ...left.steps, ...right.steps, ...result.steps], 32);
      matmul(0, 64, 128, 0);
      const expected = product(before, [left, right, result], [m, n, p]);
      for (let k = DATA >> 2; k < floats.length; k += 1) {
        const error = Math.abs(floats[k] - (expected.get(k) ?? before[k]));
        // A message for each of a million numbers would take most of the time.
        if (!(error === 0 || (expected.has(k) && error < 1e-4)))
          assert.fail(`${[m, n, p]} at ${k}`);
      }
    }
  }
  assert.equal(calls.left, 0);
});

test("several products follow one another, each with its own factors or one for all", async () => {
  const { memory, matmul } = await loaded();
  const [count, m, n, p] = [3, 8, 8, 10];
  const floats = new Float32Array(memory.buffer);
  const at = { a: DATA, b: DATA + 8192, o: DATA + 16384 };
  for (const shared of [false, true]) {
    for (let k = 0; k < 8192; k += 1) floats[(DATA >> 2) + k] = Math.random();
    const steps = [4 * m * n, shared ? 0 : 4 * n * p, 4 * m * p];
    const ints = new Int32Array(memory.buffer);
    ints.set([at.a, at.b, at.o], 0);
    ints.set([count, m, n, p], 16);
    ints.set([...steps, 4 * n, 4, 4 * p, 4, 4 * p, 4], 32);
    matmul(0, 64, 128, 0);
    for (let c = 0; c < count; c += 1) {
      let sum = 0;
      for (let k = 0; k < n; k += 1)
        sum +=
          floats[((at.a + c * steps[0]) >> 2) + n + k] *
          floats[((at.b + c * steps[1]) >> 2) + k * p + 9];
      assert.ok(Math.abs(floats[((at.o + c * steps[2]) >> 2) + p + 9] - sum) < 1e-4);
    }
  }
});

test("what is small, or does not fit, is left to the loop that was there", async () => {
  const { memory, matmul, calls } = await loaded();
  const ints = new Int32Array(memory.buffer);
  for (const [m, n, p] of [
    [2, 2, 2],
    [100, 100, 2],
    [0, 9, 9],
    [100, 0, 100],
    [64, 2000, 1001],
    [60_000, 60_000, 60_001],
  ]) {
    const { left } = calls;
    ints.set([DATA, DATA, DATA], 0);
    ints.set([1, m, n, p], 16);
    ints.set([0, 0, 0, 4 * n, 4, 4 * p, 4, 4 * p, 4], 32);
    matmul(0, 64, 128, 0);
    assert.equal(calls.left, left + 1, `${[m, n, p]}`);
  }
});
