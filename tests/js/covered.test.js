import assert from "node:assert/strict";
import { test } from "node:test";
import { byFlow } from "../../app/board/focus/strengths.js";
import { emphasisOf, links, matrix, part, strip } from "./builders.js";

const entry = {
  lens: false,
  stacks: [
    { stack: "encoder", title: "Encoder", words: ["a", "b", "c"], names: [], right: [] },
    { stack: "decoder", title: "Decoder", words: ["s", "x"], names: [], right: [] },
  ],
  parts: [
    part("source", "input", "encoder", [strip(0, "encoder")]),
    part("target", "input", "decoder", [strip(1, "decoder")]),
    part("cross", "cross", "decoder", [links([2], "decoder", "encoder"), strip(3, "decoder")]),
  ],
};

const indexed = (index, rows, cols, values) =>
  matrix({ path: `m${index}`, rows, cols }, values, null, index);

/** The strengths of all matrices while a word is followed, and maybe a number is selected. */
function strengths(weights, selection = null) {
  const byIndex = [
    indexed(0, 3, 2, [1, 2, 3, 4, 5, 6]),
    indexed(1, 2, 2, [1, 2, 3, 4]),
    indexed(2, 2, 3, weights),
    indexed(3, 2, 2, [1, 2, 3, 4]),
  ];
  const services = {
    store: { byIndex, parts: (path, i, j) => [[byIndex[path.slice(1)], i, j]] },
    selection: () => selection,
    focus: () => ({ kind: "word", of: { stack: "decoder", index: 1 } }),
  };
  const emphasis = emphasisOf(services);
  emphasis.show(entry);
  return byIndex.map((each) => [...emphasis.own(each)].map((x) => +x.toFixed(4)));
}

test("if a weight is covered, every cell still has a strength", () => {
  const known = strengths([0, 0.5, 0.5, 0.3, 0.35, 0.35]);
  const covered = strengths([0, 0.5, 0.5, Number.NaN, 0.35, 0.35]);
  for (const each of covered)
    assert.ok(
      each.every((x) => x >= 0.2 && x <= 1),
      String(each),
    );
  assert.deepEqual(covered[3], known[3]);
  assert.deepEqual(covered[0].slice(2), known[0].slice(2));
});

test("a covered weight counts as an even share of its row", () => {
  assert.deepEqual(
    strengths([0, 0.5, 0.5, Number.NaN, 0.35, 0.35]),
    strengths([0, 0.5, 0.5, 1 / 3, 0.35, 0.35]),
  );
});

test("a weight that a question asks for shows its number, but links and sentences omit it", () => {
  const TO_READ = 64;
  const flags = [0, TO_READ, TO_READ | 8];
  const weights = matrix({ path: "m0", rows: 1, cols: 3 }, [0.25, 0.25, 0.5], flags);
  assert.deepEqual([...(weights.values ?? [])], [0.25, 0.25, 0.5]);
  assert.deepEqual([...(weights.stated ?? [])], [0.25, Number.NaN, 0.5]); // 8 marks the reach
  assert.equal(weights.stated, weights.stated); // links compare arrays by identity
  assert.equal(weights.weight(1), 1 / 3);
  weights.accept(Float32Array.of(0.25, 0.25, 0.5), null, null);
  assert.equal(weights.stated, weights.values);
});

test("a cell that a question asks for has full strength, whatever word is followed", () => {
  const weights = matrix({ path: "m0", rows: 1, cols: 2 }, [0.9, 0.1], [0, 64]);
  const found = byFlow(weights, { keys: null }, Float32Array.of(0));
  assert.equal(found[1], 1);
  assert.ok(found[0] < 1);
});

test("the selected number keeps its color, even a weight that is drawn as a link", () => {
  const weights = [0, 0.5, 0.5, 0.3, 0.35, 0.35];
  assert.ok(strengths(weights)[2][0] < 1);
  assert.equal(strengths(weights, { path: "m2", i: 0, j: 0 })[2][0], 1);
});
