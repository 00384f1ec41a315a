import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, keptOrder, withNamed } from "../../app/features/prediction/order.js";

const words = (numbers) => new Map(numbers.map((p, at) => [`w${at}`, p]));

test("while numbers move every listed word keeps its place", () => {
  const at = (shares) => new Map(Object.entries(shares));
  const order = inOrder(at({ a: 0.6, b: 0.3, c: 0.06, d: 0.03, e: 0.01 }));
  assert.deepEqual(order, ["a", "b", "c", "d", "e"]);
  const turned = at({ a: 0.1, b: 0.5, c: 0.25, d: 0.1, e: 0.05 });
  assert.deepEqual(keptOrder(order, turned, 4), ["a", "b", "c", "d"]);
  // The likeliest word replaces the least likely one.
  const overtaken = at({ a: 0.2, b: 0.001, c: 0.06, d: 0.03, e: 0.7, f: 0.009 });
  assert.deepEqual(keptOrder(order, overtaken, 4), ["a", "e", "c", "d"]);
  // A tiny difference changes the list only if another word becomes the likeliest.
  const close = at({ a: 0.5, b: 0.3, c: 0.1, d: 0.048, e: 0.052 });
  assert.deepEqual(keptOrder(order, close, 4), ["a", "b", "c", "d"]);
  // While a bar is dragged, only a word that wins is added, and not in place of that bar.
  assert.deepEqual(keptOrder(order, close, 4, "c"), ["a", "b", "c", "d"]);
  assert.deepEqual(keptOrder(order, overtaken, 4, "b"), ["a", "b", "c", "e"]);
  const flat = at({ a: 0.2, b: 0.2, c: 0.2, d: 0.199, e: 0.201 });
  assert.deepEqual(keptOrder(order, flat, 4), ["a", "b", "c", "e"]);
  assert.deepEqual(keptOrder(["a"], at({ b: 0.9, a: 0.1 }), 4), ["a", "b"]);
});

test("words that the page names are listed however small their bars are", () => {
  const now = words([0.5, 0.2, 0.1, 0.08, 0.07, 0.03, 0.02]);
  const listed = (...named) => withNamed(inOrder(now), named, now, 4);
  assert.deepEqual(listed(), ["w0", "w1", "w2", "w3"]);
  assert.deepEqual(listed("w1", "w6"), ["w0", "w1", "w2", "w6"]);
  assert.deepEqual(listed("w5", "w6", "w4"), ["w0", "w4", "w6", "w5"]);
  assert.deepEqual(listed("other"), ["w0", "w1", "w2", "w3"]);
  const short = words([0.6, 0.4]);
  assert.deepEqual(withNamed(["w0"], ["w1"], short, 4), ["w0", "w1"]);
});
