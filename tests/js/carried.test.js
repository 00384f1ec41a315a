import assert from "node:assert/strict";
import { test } from "node:test";
import { carried } from "../../app/board/focus/change_path.js";
import { byCarried } from "../../app/board/focus/strengths.js";
import { STANDS_OUT } from "../../app/board/links/link_curves.js";
import { random } from "./builders.js";

// Three words are read; of two written words, the second looks at the source by two heads.
const column = (matrices, stack, keys = null) => ({ part: "", stack, keys, matrices });
const columns = [
  column([0], "encoder"),
  column([1], "decoder"),
  column([2, 3], "decoder", "encoder"),
  column([4], "decoder"),
];
const counts = new Map(Object.entries({ encoder: 3, decoder: 2 }));

function matrix(values, before, cols) {
  const [now, was] = [Float32Array.from(values), Float32Array.from(before)];
  return { values: now, before: was, cols, rows: now.length / cols, cells: now.length, entry: {} };
}

const mover = { moved: ({ values, before }, k) => Math.abs(values[k] - before[k]) };

function explained(heads, { source = [1, 9, 1], written = [1, 0, 0, 1], row = 1 } = {}) {
  const matrices = [
    matrix(source, [1, 1, 1], 1),
    matrix([1, 1], [1, 1], 1),
    ...heads.map(({ now, was = now }) => matrix(now, was, 3)),
    matrix(written, [1, 0, 1, 0], 2),
  ];
  const { from, to, links, rows } = carried(columns, counts, matrices, mover, row);
  const cells = [...links].flatMap(([of, cells]) =>
    [...cells].map(([k, by]) => [matrices.indexOf(of), k, +by.toFixed(2)]),
  );
  const way = [0, 1, 3].map((n) => [...rows[n]]); // the changed rows of the strips
  return { from, to, cells, way };
}

const EVEN = [1 / 3, 1 / 3, 1 / 3];

test("links to the changed word carried the change if they read a row that moved", () => {
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

test("a link whose weight changed carried the change, too", () => {
  const first = { now: [...EVEN, 0.95, 0, 0.05], was: [...EVEN, 0, 1, 0] };
  const second = { now: [...EVEN, 0, 0, 1] };
  const { from, cells } = explained([first, second], { source: [1, 1, 1] });
  assert.deepEqual(from, [{ stack: "decoder", index: 1 }], "where it began: the query");
  assert.deepEqual(cells, [[2, 3, 1]], "what hardly changed is not pointed out");
});

test("a link whose weight changed only with its query carried no change", () => {
  const head = { now: [...EVEN, 0.2, 0.7, 0.1], was: [...EVEN, 0.1, 0.8, 0.1] };
  const { cells } = explained([head, { now: [...EVEN, 0, 0, 1] }], { source: [1, 1, 9] });
  assert.deepEqual(cells, [
    [3, 5, 1],
    [2, 5, 0.1],
  ]);
});

test("a change that starts in many rows is not explained", () => {
  const all = [0.35, 0.35, 0.3];
  const head = { now: [...EVEN, ...all] };
  const { from, cells } = explained([head, head], { source: [9, 9, 9] });
  assert.deepEqual([from, cells], [[], []]);
});

test("a change is traced to the given row, if it reaches that row", () => {
  const head = { now: [0, 0, 1, 0, 1, 0] };
  const written = [0.1, 0.9, 0.6, 0.4];
  assert.equal(explained([head, head], { written }).to.index, 1, "though another row changed more");
  const other = explained([head, head], { written, row: 0 });
  assert.deepEqual([other.to, other.cells], [null, []]);
  const none = explained([head, head], { source: [1, 1, 1], written: [1, 0, 1, 0] });
  assert.deepEqual([none.from, none.to, none.cells], [[], null, []]);
});

test("marked links connect the start of a change with the changed word, at any weights", () => {
  // Three layers have links among four words, and the last three layers have two heads.
  const layers = [2, 2, 2];
  const next = random(7);
  for (let round = 0; round < 60; round++) {
    const own = [column([0], "decoder")];
    const all = [matrix([1, 9, 1, 1], [1, 1, 1, 1], 1)];
    const moving = new Set([1]);
    for (const heads of layers) {
      const links = [];
      for (let h = 0; h < heads; h++) {
        const weights = Array.from({ length: 16 }, (_, k) => (k % 4 > k >> 2 ? 0 : next()));
        const was = weights.map((x, k) => (moving.has(k >> 2) ? x * next() : x));
        links.push(all.push(matrix(weights, was, 4)) - 1);
      }
      own.push(column(links, "decoder", "decoder"));
      for (const row of [2, 3]) moving.add(row);
      const now = [0, 1, 2, 3].map((row) => (moving.has(row) ? next() : 0));
      own.push(column([all.push(matrix(now, [0, 0, 0, 0], 1)) - 1], "decoder"));
    }
    const lanes = new Map([["decoder", 4]]);
    const { from, to, links } = carried(own, lanes, all, mover, 3);
    assert.deepEqual([from, to.index], [[{ stack: "decoder", index: 1 }], 3]);
    const marked = [...links].flatMap(([of, cells]) =>
      [...cells.keys()].map((k) => ({
        column: own.findIndex(({ matrices }) => matrices.includes(all.indexOf(of))),
        query: k >> 2,
        key: k % 4,
      })),
    );
    assert.ok(marked.length > 0);
    for (const { column, query, key } of marked) {
      const isRead = key === 1 || marked.some((x) => x.column < column && x.query === key);
      const isUsed = query === 3 || marked.some((x) => x.column > column && x.key === query);
      assert.ok(isRead && isUsed, `${column}: ${key} to ${query}`);
    }
  }
});

test("a head that carried no change stays visible at the rows of the change", () => {
  const head = (weights) => ({
    ...matrix([...EVEN, ...weights], [], 3),
    weight(k) {
      return this.values[k];
    },
  });
  const heads = [head([0, 1, 0]), head([0.9, 0.05, 0.05])];
  const by = new Map([[heads[0], new Map([[4, 1]])]]);
  const [first, second] = heads.map((each) => [...byCarried(each, heads, by)]);
  assert.equal(first[4], 1);
  assert.ok(second[3] >= STANDS_OUT && second[3] < first[4] / 2, String(second[3]));
  assert.ok([...first.slice(0, 3), ...second.slice(0, 3)].every((each) => each < STANDS_OUT));
});
