import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codes,
  decimalFormat,
  decimalText,
  exactText,
  fixedText,
  gradientText,
  headText,
  isAligned,
  movingText,
  narrowText,
  SCIENTIFIC,
  scientificText,
  shortText,
  tailText,
} from "../../app/components/shared/number_format.js";

/** The text of a cell, with its parts joined. */
function shown(v, how) {
  const { head, tail, last } = codes(v, how);
  return headText(head) + tailText(tail) + tailText(last);
}

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
  test(`${v} is ${text} in scientific notation`, () => assert.equal(shown(v, SCIENTIFIC), text));

/** [a number, the largest of its matrix, characters that fit, what the cell shows] */
const decimal = [
  [0, 5, 5, "0"],
  [0.413, 5, 5, "0.41"],
  [-0.413, 5, 5, "−0.41"],
  [-0.004, 5, 5, "0.00"],
  [9.994, 9.94, 5, "9.99"],
  [-12.34, 12.34, 5, "−12.3"],
  [0.413, 12.34, 5, "0.4"],
  [99.96, 99.96, 5, "100"],
  [-4321, 4321, 5, "−4321"],
  [123456, 123456, 5, "1.2e5"],
  [0.0413, 0.0413, 5, ".041"],
  [-0.413, 5, 6, "−0.413"],
  [-0.413, 5, 12, "−0.413"],
  // with four characters
  [0.413, 0.9, 4, ".41"],
  [-0.413, 0.9, 4, "−.41"],
  [0.004, 0.9, 4, ".00"],
  [0.996, 0.996, 4, "1.0"],
  [-9.94, 9.94, 4, "−9.9"],
  [0.41, 9.94, 4, "0.4"],
  [12.3, 12.3, 4, "12"],
  [-0.41, 12.3, 4, "−0.4"],
  [0, 0, 4, "0"],
  [-999, 999, 4, "−999"],
  [1000, 1000, 4, "1.0e3"],
];

for (const [v, largest, characters, text] of decimal)
  test(`${v} among numbers up to ${largest} is ${text} in ${characters} characters`, () =>
    assert.equal(shown(v, decimalFormat(largest, false, characters)), text));

const shares = [
  [0.98712, 5, "0.987"],
  [1, 5, "1.000"],
  [0.98712, 4, "0.99"],
];

for (const [v, characters, text] of shares)
  test(`the share ${v} is ${text} in ${characters} characters`, () =>
    assert.equal(shown(v, decimalFormat(1, true, characters)), text));

/** The numbers as shown in a matrix with this largest magnitude. */
function texts(largest, characters) {
  const format = decimalFormat(largest, false, characters);
  if (format.scientific) return [];
  return [largest, -largest, -largest / 3, largest / 1000].map((v) => {
    const text = shown(Math.fround(v), format);
    return { text, format, aligned: isAligned(codes(Math.fround(v), format).head, format) };
  });
}

test("no number of a matrix has more characters than fit, and all have the same decimals", () => {
  for (let k = 0; k < 12000; k++) {
    const characters = 3 + (k % 4);
    for (const { text, format, aligned } of texts(1.00125 ** k / 1e4, characters)) {
      if (text.includes("e")) continue; // smaller numbers, if they fit
      assert.ok(text.length <= characters, text);
      if (!aligned) continue;
      const point = text.indexOf(".");
      if (point >= 0) assert.equal(text.length - 1 - point, format.decimals, text);
      assert.ok(text.length <= format.before + format.decimals, text);
    }
  }
});

test("a number too small for its digits is not shown as 0", () => {
  const format = decimalFormat(1, false, 5);
  assert.equal(codes(0.001, format).isTiny, true);
  assert.equal(codes(0, format).isTiny, false);
  assert.equal(codes(0.006, format).isTiny, false);
});

test("if a decimal format would make every number 0, the format is scientific", () => {
  assert.equal(shown(0.0004, decimalFormat(0.0004, false, 5)), "4.0e−4");
  assert.equal(shown(0.0006, decimalFormat(0.0006, false, 5)), ".001");
  assert.equal(decimalFormat(0, false, 5).scientific, false);
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

test("each setting of digits has a different text", () => {
  const texts = new Map();
  for (const style of [SCIENTIFIC, decimalFormat(5, false, 5), decimalFormat(0.9, false, 4)])
    for (let k = -2000; k <= 2000; k++) {
      const { head } = codes(k / 20, style);
      texts.set(head, headText(head));
    }
  assert.equal(new Set(texts.values()).size, texts.size);
});

test("the spoken number has one digit and a typographic minus", () => {
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

test("a changing number has the same width at each value", () => {
  const texts = [-10.5, -0.0001, 0.25, 9.9996].map((v) => movingText(v, 10.5));
  assert.deepEqual(
    texts.map((text) => text.trim()),
    ["−10.500", "0.000", "0.250", "10.000"],
  );
  assert.deepEqual(new Set(texts.map((text) => text.length)), new Set([7]));
  assert.equal(movingText(2e-5, 3e-5), "2.000e-5", "which three decimals would not show");
});

test("a missing gradient is shown as none", () => {
  assert.equal(gradientText(Number.NaN), "none");
  assert.equal(gradientText(-0.00412), "−4.12e-3");
});

test("a number that can be typed again has no row of zeros", () => {
  assert.equal(exactText(Math.fround(6.646287e-10)), "6.646287e-10");
  assert.equal(exactText(Math.fround(-0.000012)), "−0.000012");
  assert.equal(exactText(Math.fround(-1.2345679)), "−1.2345679");
  assert.equal(exactText(0), "0");
  for (const v of [6.646287e-10, -3e-12, 0.1, -123.4567, 1e-9, 99999.5].map(Math.fround)) {
    assert.equal(Math.fround(Number(exactText(v).replace("−", "-"))), v);
    assert.ok(exactText(v).length <= 14);
  }
});

test("in short, numbers that differ in the third or fourth digit have different texts", () => {
  assert.notEqual(shortText(-0.03069), shortText(-0.03066));
  assert.equal(shortText(-0.030694), "−0.03069");
  assert.equal(shortText(0.00012346), "1.235e-4"); // rounded, not truncated
  assert.equal(shortText(0), "0");
});

test("in five characters a number other than 0 is not shown as 0", () => {
  for (const v of [0.5, -0.05, 0.012, -0.0031, 0.0004, -3.2e-5, 8e-9, 12.34, -123.4, 9.996]) {
    const text = narrowText(v);
    assert.ok(text.length <= 5, text);
    assert.match(text, /[1-9]/);
    assert.equal(text.startsWith("−"), v < 0);
  }
  assert.equal(narrowText(0), "0");
});

test("a number with given decimals has no minus before 0", () => {
  assert.equal(fixedText(-0.25, 2), "−0.25");
  assert.equal(fixedText(-0.001, 2), "0.00");
  assert.equal(fixedText(-0.4, 0), "0");
  assert.equal(fixedText(-10.04, 1), "−10.0");
});
