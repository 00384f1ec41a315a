/** Matrices get the labels of the axes that they share. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readChange, readManifest } from "../../app/board/data/manifest.js";

const WORDS = { labels: ["the", "cat"], names: ["the (id 0)", "cat (id 1)"], stack: "encoder" };
const NUMBERS = { labels: ["d0", "d1"] };

test("a matrix has the labels, the names and the lanes of its axes", () => {
  const matrices = [
    { path: "X", axes: [0, 1] },
    { path: "A", axes: [0, 0] },
    { path: "X@overview" },
  ];
  const read = readManifest(JSON.stringify({ version: 1, matrices, axes: [WORDS, NUMBERS] }));
  const [stream, weights, overview] = read.matrices;
  assert.deepEqual(
    [stream.row_labels, stream.row_names, stream.col_labels, stream.col_names, stream.lanes],
    [WORDS.labels, WORDS.names, NUMBERS.labels, undefined, ["encoder", null]],
  );
  assert.deepEqual(weights.lanes, ["encoder", "encoder"]);
  assert.deepEqual([overview.row_labels, overview.col_labels, overview.lanes], [[], [], undefined]);
});

test("a moved part gets new labels and names; other changes keep them", () => {
  const moved = readChange(JSON.stringify({ path: "X@1", axes: [NUMBERS, WORDS] }));
  assert.ok("row_names" in moved && moved.row_names === undefined);
  assert.deepEqual(moved.col_names, WORDS.names);
  assert.deepEqual(readChange(JSON.stringify({ path: "X@1", words: [["le"]] })), {
    path: "X@1",
    words: [["le"]],
  });
});
