import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../../app/features/decode/samples.js";

test("the verdict has the probability after filtering", () => {
  const rows = [
    { word: "noir", p: 0.85, q: 1, chosen: true, cut: false },
    { word: "est", p: 0.15, q: 0, chosen: false, cut: true },
  ];
  const sample = {
    given: ["<sos>"],
    opening: "",
    ids: [7],
    tokens: ["noir"],
    texts: ["noir"],
    steps: [{ rows, others: { count: 0, p: 0, q: 0, cut: 0 } }],
    finished: false,
    log_probability: -0.16,
    seed: 0,
    temperature: 0,
  };
  assert.match(verdict(sample, 0), /it drew “noir”, probability 1.000\.$/);
});
