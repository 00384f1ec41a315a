/** Sizes of cells. Each label is an index, so that no text has to be measured. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fitRow, styleWithin } from "../../app/board/paint/layout.js";
import { entry } from "./builders.js";

const FONT = "sans-serif";

const labels = (letter, count, first = 0) =>
  Array.from({ length: count }, (_, k) => `${letter}${first + k}`);

const matrix = (rows, cols, more = {}) =>
  entry("m", rows, cols, {
    ...{ row_labels: labels("d", rows), col_labels: labels("k", cols) },
    ...more,
  });

test("with enough space, numbers are on one line", () => {
  const [g] = fitRow([matrix(4, 4)], 800, 0, FONT, 0);
  assert.equal(g.mode, "line");
  assert.equal(g.above, false);
  assert.equal(g.full, g.label + 4 * g.cell);
  assert.equal(g.tall, g.top + 4 * g.height);
  assert.deepEqual([g.windowWidth, g.windowHeight], [g.full, g.tall]);
});

test("a row of matrices takes the largest style in which all fit side by side", () => {
  const row = [matrix(6, 8), matrix(6, 8), matrix(6, 8)];
  for (const room of [1400, 1100, 900, 850]) {
    const sizes = fitRow(row, room, 60, FONT, 30);
    const full = sizes.reduce((sum, g) => sum + g.full, 60);
    assert.ok(full <= room, `${full} in ${room}`);
    assert.equal(new Set(sizes.map((g) => g.cell)).size, 1);
  }
  const wide = fitRow(row, 1400, 60, FONT, 30)[0];
  const narrow = fitRow(row, 850, 60, FONT, 30)[0];
  assert.equal(wide.mode, "line");
  assert.equal(narrow.mode, "stack");
  assert.ok(narrow.cell < wide.cell);
});

test("if matrices do not fit side by side, each is as large as it can be alone", () => {
  const sizes = fitRow([matrix(6, 12), matrix(6, 12)], 500, 40, FONT, 30);
  for (const g of sizes) {
    assert.equal(g.mode, "line");
    assert.ok(g.full <= 500);
  }
});

test("a matrix that needs the space of its operator has the operator above it", () => {
  const alone = fitRow([matrix(3, 20)], 500, 400, FONT, 60)[0];
  assert.equal(alone.above, true);
  assert.ok(alone.full <= 500);
});

test("a matrix of too many cells is a picture, in a window if it is wider than the page", () => {
  const [g] = fitRow([matrix(64, 512)], 700, 0, FONT, 0);
  assert.equal(g.mode, "picture");
  assert.equal(g.cell, 3);
  assert.equal(g.windowWidth, 700);
  assert.ok(g.full > 700);
});

test("few rows of a picture are taller than wide, so that each has its label", () => {
  const [g] = fitRow([matrix(8, 600)], 700, 0, FONT, 0);
  assert.equal(g.mode, "picture");
  assert.ok(g.height > g.cell);
});

test("a window has space for the longest labels of its matrix", () => {
  const part = { overview: "o", whole: [5000, 40], origin: ["w", 0, 0] };
  const [start] = fitRow([matrix(4, 4, part)], 800, 0, FONT, 0);
  const far = { ...part, origin: ["w", 4990, 0], row_labels: labels("d", 4, 4990) };
  const [end] = fitRow([matrix(4, 4, far)], 800, 0, FONT, 0);
  assert.equal(start.label, end.label);
  assert.ok(start.label > fitRow([matrix(4, 4)], 800, 0, FONT, 0)[0].label);
});

test("digits grow with the zoom of cells, to a limit", () => {
  const size = (width) => styleWithin(width, width, true)?.head ?? 0;
  assert.equal(size(23.9), 0);
  assert.equal(size(24), 10);
  const sizes = [24, 31, 45, 62, 80, 100, 130].map(size);
  assert.deepEqual(
    sizes,
    [...sizes].sort((a, b) => a - b),
  );
  assert.ok(new Set(sizes).size === sizes.length);
  assert.ok(size(62) >= 15);
  assert.equal(size(130), size(1300));
  assert.equal(styleWithin(130, 14, true)?.head, 11.5); // a low cell limits the font size
});
