import assert from "node:assert/strict";
import { test } from "node:test";
import { nameParts, namesIn } from "../../app/components/shared/cell_name.js";

test("subscripts and superscripts of a name are separate from the words of its cell", () => {
  const parts = (name) => nameParts(name).map(([how, text]) => `${how}:${text}`);
  assert.deepEqual(parts("W_src^E[a_b, d^2]"), [":W", "sub:src", "sup:E", ":[a_b, d^2]"]);
  assert.deepEqual(parts("W₁^Q[d0, k1]"), [":W", "sub:1", "sup:Q", ":[d0, k1]"]);
  assert.deepEqual(parts("γ"), [":γ", ":"]);
});

test("in a sentence a name is separate from words, even next to words with a sign", () => {
  const names = (text) =>
    namesIn(text)
      .filter(([, isName]) => isName)
      .map(([part]) => part);
  assert.deepEqual(names("25 × 8 · words × d_model"), ["d_model"]);
  assert.deepEqual(names("embeddings × √d_model"), ["d_model"]);
  assert.deepEqual(names("row black (position 1, id 4), column d2"), ["d2"]);
  assert.deepEqual(names("d1 · f12"), ["d1", "f12"]);
  assert.deepEqual(names("W_src^E[black, d2] is 0.5, and K₁[cat, k0] too; γ[d0] is not"), [
    "W_src^E[black, d2]",
    "K₁[cat, k0]",
    "γ[d0]",
  ]);
  assert.deepEqual(names("The file snake_case.json [1, 2] of “a_b” has a d2 in it"), []);
  assert.equal(
    namesIn("d_k is the size")
      .map(([part]) => part)
      .join(""),
    "d_k is the size",
  );
});
