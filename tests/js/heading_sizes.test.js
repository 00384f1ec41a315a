import assert from "node:assert/strict";
import { test } from "node:test";
import { wordingsOf } from "../../app/board/picture/heading_sizes.js";

const canvas = { getContext: () => ({ measureText: () => ({ width: 30 }) }) };
Object.assign(document, { createElement: () => canvas });

/** The wordings of a title in a stack of six layers; null: none of that form. */
function texts(title, part, crosses = false) {
  const found = wordingsOf(title, { stack: "encoder", ...part }, { layers: 6, crosses }, "a");
  return found.map((wording) => wording?.text ?? null);
}

test("where the parts of a layer have no room, one of them has the name of the layer", () => {
  const attention = { kind: "attention", layer: 1 };
  const wordings = texts("self-attention 1", attention);
  assert.deepEqual(wordings.slice(1), ["self-attn 1", "attn 1", "layer 1", "6 layers"]);
  assert.deepEqual(texts("feed-forward 1", { kind: "feed_forward", layer: 1 }).slice(3), [
    null,
    null,
  ]);
  // Between the links of two layers there is no room at the first part.
  assert.deepEqual(texts("self-attention 1", attention, true).slice(3), [null, "6 layers"]);
  const last = { kind: "feed_forward", layer: 2 };
  assert.deepEqual(texts("feed-forward 2", last, true).slice(3), ["layer 2", null]);
  const cross = { kind: "cross", layer: 2 };
  assert.deepEqual(texts("cross-attention 2", cross, true).slice(3), ["cross 2", null]);
});

test("a part of a single layer has titles of its own only", () => {
  const wordings = texts("self-attention", { kind: "attention", layer: null });
  assert.deepEqual(wordings, ["self-attention", "self-attn", "attn"]);
});
