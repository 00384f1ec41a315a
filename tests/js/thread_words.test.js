/** The words on what a followed word looks at. */

import "./document.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix } from "../../app/components/board/data/matrix.js";
import { Emphasis } from "../../app/components/board/focus/emphasis.js";
import { namedLinks, whichWord } from "../../app/components/board/whole/thread_words.js";

test("of a word that a sentence has several times it is told which one", () => {
  const words = ["the", "cat", "the", "the", "the"];
  const plain = (/** @type {number} */ at) => whichWord(words, at).replace(/[\u2068\u2069]/g, "");
  assert.deepEqual([...words.keys()].map(plain), [
    "the first “the”",
    "“cat”",
    "the second “the”",
    "the third “the”",
    "the 4th “the”",
  ]);
});

test("the strongest heads come first, without those that are silenced in the row", () => {
  const grid = (/** @type {number} */ head, /** @type {number[]} */ weights) => ({
    ...{ head, matrix: { stated: weights, rows: 2, cols: 2, entry: {} } },
  });
  const grids = [grid(0, [0.6, 0.4, 0.6, 0.4]), grid(1, [0.1, 0.9, 0.1, 0.9])];
  const links = {
    ...{ grids, matrices: [grids[0].matrix], silentIn: [new Set(), new Set([1])] },
    placed: { item: { stack: "decoder", keys: "encoder" } },
  };
  const named = (/** @type {string} */ stack, /** @type {number} */ index) =>
    namedLinks(/** @type {any} */ (links), { stack, index }).map(({ head, query, key }) => [
      ...[head, query, key],
    ]);
  assert.deepEqual(named("decoder", 0), [
    [1, 0, 1],
    [0, 0, 0],
  ]);
  assert.deepEqual(named("decoder", 1), [[0, 1, 0]]);
  assert.deepEqual(named("encoder", 1), [
    [1, 0, 1],
    [0, 0, 1],
  ]);
});

test("a link that words name is at full strength, also where another one carried a change", () => {
  const matrix = new Matrix(/** @type {any} */ ({ path: "a.weights", rows: 2, cols: 3 }), 0);
  const services = { trail: { changes: 1 }, orbit: () => null, store: { byIndex: [matrix] } };
  const named = () => [{ matrix, query: 1, key: 0 }];
  const emphasis = new Emphasis(/** @type {any} */ ({ ...services, named }));
  const links = new Map([[matrix, new Map([[2, 0.5]])]]);
  emphasis.explained = /** @type {any} */ ({ at: 1, by: { links } });
  const found = [...emphasis.ofLinks(matrix)].map((x) => +x.toFixed(2));
  assert.deepEqual(found, [0.2, 0.2, 0.75, 1, 0.2, 0.2]);
});
