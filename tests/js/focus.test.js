import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf, flow } from "../../app/board/focus/flow.js";
import { flowSourcesOf, focusOf } from "../../app/board/focus/flow_sources.js";
import { links, part, strip } from "./builders.js";

// A source of three words and a target of two; numbers are indices of matrices.
const listens = links([1, 2], "encoder", "encoder");
const looks = links([5], "decoder", "encoder");
const entry = {
  lens: false,
  stacks: [
    { stack: "encoder", title: "Encoder", words: ["a", "b", "a"], names: [], right: [] },
    { stack: "decoder", title: "Decoder", words: ["s", "x"], names: [], right: ["x", "y"] },
  ],
  parts: [
    part("source", "input", "encoder", [strip(0, "encoder")], [10]),
    part("self", "attention", "encoder", [listens, strip(3, "encoder")]),
    part("target", "input", "decoder", [strip(4, "decoder")]),
    part("cross", "cross", "decoder", [looks, strip(6, "decoder")], [11]),
    part("output", "output", "decoder", [strip(7, "decoder")]),
  ],
};

const matrices = Array.from({ length: 12 }, (_, k) => ({ path: `m${k}`, row_labels: [] }));
matrices[10] = { path: "m10", row_labels: ["b", "a", "c"] };

/** The weights of each query, by the index of the matrix. */
const WEIGHTS = {
  1: [
    [1, 0, 0],
    [0.5, 0.5, 0],
    [0, 0, 1],
  ],
  5: [
    [0, 0, 1],
    [0, 0.8, 0.2],
  ],
};
const counts = new Map(Object.entries({ encoder: 3, decoder: 2 }));
const columns = columnsOf(entry);

function strengths(focus) {
  const weightOf = ({ matrices: [first] }, i, j) => WEIGHTS[first][i][j];
  const seeds = flowSourcesOf(focus, entry, columns, matrices);
  const found = flow(columns, counts, weightOf, seeds);
  return new Map(
    columns.map(({ matrices: [first] }, k) => [first, [...found[k]].map((x) => +x.toFixed(6))]),
  );
}

test("for a written word, its sources stand out", () => {
  const found = strengths({ kind: "word", of: { stack: "decoder", index: 1 } });
  assert.deepEqual(found.get(7), [0, 1]);
  assert.deepEqual(found.get(4), [0, 1], "through the residual stream with all of its strength");
  assert.deepEqual(found.get(3), [0, 0.8, 0.2], "through attention with the weights of its row");
  assert.deepEqual(found.get(0), [0.4, 0.8, 0.2], "and through theirs");
  assert.deepEqual(found.get(5), [0, 0, 0, 1, 1, 1], "what a link of weight 1 would carry");
});

test("for a word that is only read, the cells that it affects stand out", () => {
  const found = strengths({ kind: "word", of: { stack: "encoder", index: 0 } });
  assert.deepEqual(found.get(0), [1, 0, 0]);
  assert.deepEqual(found.get(3), [1, 0.5, 0]);
  assert.deepEqual(found.get(7), [0, 0.4]);
  assert.deepEqual(found.get(4), [0, 0], "what is not computed from it does not");
});

test("for a number, its sources and the cells that it affects stand out", () => {
  const found = strengths({ kind: "number", of: { path: "m3", i: 1, j: 0 } });
  assert.deepEqual(found.get(3), [0, 1, 0]);
  assert.deepEqual(found.get(0), [0.5, 1, 0]);
  assert.deepEqual(found.get(6), [0, 0.8]);
});

test("for a link, its key before it and its query after it stand out", () => {
  const found = strengths({ kind: "number", of: { path: "m5", i: 0, j: 2 } });
  assert.deepEqual(found.get(3), [0, 0, 1]);
  assert.deepEqual(found.get(7), [1, 0]);
});

test("a weight affects all rows after it, and a number of a table the rows of its token", () => {
  const after = strengths({ kind: "number", of: { path: "m11", i: 0, j: 0 } });
  assert.deepEqual(
    [after.get(3), after.get(6)],
    [
      [0, 0, 0],
      [1, 1],
    ],
  ); // prettier-ignore
  const table = strengths({ kind: "number", of: { path: "m10", i: 1, j: 0 } });
  assert.deepEqual(table.get(0), [1, 0, 1]);
});

test("a cell outside the picture has no flow, and the focus is one word or number", () => {
  const nowhere = { kind: "number", of: { path: "loss", i: 0, j: 0 } };
  assert.equal(flowSourcesOf(nowhere, entry, columns, matrices), null);
  const gone = { kind: "word", of: { stack: "decoder", index: 2 } };
  assert.equal(flowSourcesOf(gone, entry, columns, matrices), null);
  assert.equal(focusOf({ stack: "encoder", index: 1 }, nowhere.of).kind, "word");
  assert.equal(focusOf(null, nowhere.of).kind, "number");
  assert.equal(focusOf(null, null), null);
});
