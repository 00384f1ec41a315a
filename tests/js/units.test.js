import assert from "node:assert/strict";
import { test } from "node:test";
import { inUnits } from "../../app/components/shared/units.js";

test("a sentence names the tokens of the model, outside of quotes", () => {
  const before = globalThis.document;
  const sentence = "No word looks at “\u2068word\u2069” more than at other words";
  assert.equal(inUnits(sentence), sentence);
  globalThis.document = { documentElement: { dataset: { unit: "character" } } };
  assert.equal(
    inUnits(sentence),
    "No character looks at “\u2068word\u2069” more than at other characters",
  );
  globalThis.document = before;
});
