/** Numbers as text: in a cell, spoken, and in full. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codes,
  DECIMAL,
  decimalText,
  gradientText,
  headText,
  SCIENTIFIC,
  SHORT_DECIMAL,
  scientificText,
  tailText,
} from "../../app/components/shared/number_format.js";

/** What a cell shows, its two parts beside each other. @param {number} v @param {number} style */
function shown(v, style) {
  const { head, tail } = codes(v, style);
  return headText(head) + tailText(tail);
}

/** @type {[number, string][]} */
const scientific = [
  [0, "0"],
  [-0, "0"],
  [1, "1.0e0"],
  [-0.65, "−6.5e−1"],
  [0.0996, "1.0e−1"],
  [9.96, "1.0e1"],
  [-123.4, "−1.2e2"],
  [3e-12, "3e−12"],
  [9.7e9, "9.7e9"],
  [9.96e9, "1e10"],
  [-5.4e15, "−5e15"],
  [1e-60, "0"],
  [Number.NaN, "·"],
  [Infinity, "∞"],
  [-Infinity, "−∞"],
];

for (const [v, text] of scientific)
  test(`${v} is ${text} in scientific notation`, () => {
    assert.equal(shown(v, SCIENTIFIC), text);
  });

/** @type {[number, string][]} */
const decimal = [
  [0, "0"],
  [0.413, "0.41"],
  [-0.413, "−0.41"],
  [-0.004, "−0.00"],
  [9.994, "9.99"],
  [9.996, "10.0"],
  [-12.34, "−12.3"],
  [99.96, "100"],
  [-4321, "−4321"],
  [123456, "1.2e5"],
];

for (const [v, text] of decimal)
  test(`${v} is ${text} as a decimal`, () => {
    assert.equal(shown(v, DECIMAL), text);
  });

/** @type {[number, string][]} */
const short = [
  [0.413, ".41"],
  [-0.413, "−.41"],
  [0.004, "0"],
  [0.996, "1.0"],
  [-9.94, "−9.9"],
  [12.3, "12"],
  [-999, "−999"],
  [1000, "1.0e3"],
];

for (const [v, text] of short)
  test(`${v} is ${text} in the room of four characters`, () => {
    assert.equal(shown(v, SHORT_DECIMAL), text);
  });

test("a cell's text agrees with the number to its last digit", () => {
  for (let k = 1; k < 4000; k++) {
    const v = (k * 7919) ** 3 / 1e9 - 11;
    const text = shown(v, SCIENTIFIC).replaceAll("−", "-");
    const exponent = Math.floor(Math.log10(Math.abs(v)));
    const half = Math.abs(exponent) > 9 ? 0.5 : 0.05;
    assert.ok(Math.abs(Number(text) - v) <= 1.000001 * half * 10 ** exponent, `${v} as ${text}`);
  }
});

test("every code has a text of its own", () => {
  const texts = new Map();
  for (const style of [SCIENTIFIC, DECIMAL, SHORT_DECIMAL])
    for (let k = -2000; k <= 2000; k++) {
      const { head } = codes(k / 20, style);
      texts.set(head, headText(head));
    }
  assert.equal(new Set(texts.values()).size, texts.size);
});

test("the spoken read-out has one digit and the minus of print", () => {
  assert.equal(scientificText(-0.412), "−4.1e-1");
  assert.equal(scientificText(1234, 3), "1.234e3");
  assert.equal(scientificText(0), "0");
  assert.equal(scientificText(-Infinity), "−∞");
});

test("in full, a float32 has its shortest decimal", () => {
  assert.equal(decimalText(Math.fround(0.1)), "0.1");
  assert.equal(decimalText(Math.fround(-2.345)), "−2.345");
  assert.equal(decimalText(Math.fround(16777216)), "16777216");
  assert.equal(decimalText(Math.fround(1e-9)), "0.000000001");
});

test("a gradient that there is not is none", () => {
  assert.equal(gradientText(Number.NaN), "none");
  assert.equal(gradientText(-0.00412), "−4.12e-3");
});
