/** What explains a change: where it began, the word that it changed, and what carried it there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { carried } from "../../app/components/board/focus/carried.js";

// Three words are read; of two that are written, the second looks at the source by two heads.
const strip = (index, stack) => ({ part: "", stack, keys: null, matrices: [index] });
const columns = [
  strip(0, "encoder"),
  strip(1, "decoder"),
  { part: "", stack: "decoder", keys: "encoder", matrices: [2, 3] },
  strip(4, "decoder"),
];
const counts = new Map([
  ["encoder", 3],
  ["decoder", 2],
]);

function matrix(values, before, cols) {
  const [now, was] = [Float32Array.from(values), Float32Array.from(before)];
  return { values: now, before: was, cols, rows: now.length / cols, cells: now.length, entry: {} };
}

const mover = {
  moved: ({ values, before }, k) => Math.abs(values[k] - before[k]),
};

function explained(heads, { source = [1, 9, 1], written = [1, 0, 0, 1] } = {}) {
  const matrices = [
    matrix(source, [1, 1, 1], 1),
    matrix([1, 1], [1, 1], 1),
    ...heads.map(({ now, was = now }) => matrix(now, was, 3)),
    matrix(written, [1, 0, 1, 0], 2),
  ];
  const weightOf = ({ matrices: all }, i, j) =>
    all.reduce((sum, n) => sum + matrices[n].values[3 * i + j] / all.length, 0);
  const { from, to, links, rows } = carried(columns, counts, matrices, mover, weightOf);
  const cells = [...links].flatMap(([of, cells]) =>
    [...cells].map(([k, by]) => [matrices.indexOf(of), k, +by.toFixed(2)]),
  );
  const way = [0, 1, 3].map((n) => [...rows[n]]); // of the strips
  return { from, to, cells, way };
}

const EVEN = [1 / 3, 1 / 3, 1 / 3];

test("of links to the changed word those carried it that read a row that moved", () => {
  const first = { now: [...EVEN, 0, 0.9, 0.1] };
  const second = { now: [...EVEN, 0.5, 0.3, 0.2] };
  const { from, to, cells, way } = explained([first, second]);
  assert.deepEqual(from, [{ stack: "encoder", index: 1 }]);
  assert.deepEqual(to, { stack: "decoder", index: 1 });
  assert.deepEqual(cells, [
    [2, 4, 1],
    [3, 4, 0.33],
  ]);
  assert.deepEqual(
    way,
    [
      [0, 1, 0],
      [0, 0],
      [0, 1],
    ],
    "by the row where it began to the changed word, and no other",
  );
});

test("a weight that changed carried it, too, whatever it reads", () => {
  const first = { now: [...EVEN, 0.95, 0, 0.05], was: [...EVEN, 0, 1, 0] };
  const second = { now: [...EVEN, 0, 0, 1] };
  const { from, cells } = explained([first, second], { source: [1, 1, 1] });
  assert.deepEqual(from, [{ stack: "decoder", index: 1 }], "where it began: the query");
  assert.deepEqual(cells, [[2, 3, 1]], "what hardly changed is not pointed out");
});

test("at most three links, and where it began in many rows none is pointed out", () => {
  const all = [0.35, 0.35, 0.3];
  const head = { now: [...EVEN, ...all] };
  const { from, cells } = explained([head, head], { source: [9, 9, 9] });
  assert.equal(cells.length, 3);
  assert.deepEqual(from, []);
});

test("where no word is another, the row that moved most; where nothing moved, none", () => {
  const head = { now: [...EVEN, 0, 1, 0] };
  const same = explained([head, head], { written: [0.9, 0.1, 0.6, 0.4] });
  assert.equal(same.to.index, 1);
  const none = explained([head, head], { source: [1, 1, 1], written: [1, 0, 1, 0] });
  assert.deepEqual([none.from, none.to, none.cells], [[], null, []]);
});
