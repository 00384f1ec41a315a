import assert from "node:assert/strict";
import { test } from "node:test";
import { becomes } from "../../app/features/pull/becomes.js";

const LONG = "le petit chat noir est assis sur le grand tapis rouge".split(" ");

function said(now, before) {
  const changed = now.map((word, at) => word !== before[at]);
  const parts = becomes({ sentence: now, changed, length: before.length });
  return parts.map(([text, isNew]) => (isNew ? `*${text}*` : text)).join("");
}

for (const [about, now, before, expected] of [
  ["a short one", ["le", "chat", "blanc"], ["le", "chat", "noir"], "le chat *blanc*"],
  ["one word", LONG.with(3, "blanc"), LONG, "after “petit chat”: *blanc*"],
  [
    "words in a row",
    LONG.with(2, "chien").with(3, "blanc"),
    LONG,
    "after “le petit”: *chien blanc*",
  ],
  ["an added one", [...LONG.with(0, "la"), "noir"], LONG, "at the start: *la*; then: *noir*"],
  ["one more", [...LONG], LONG.slice(0, 10), "then: *rouge*"],
  ["an end", LONG.slice(0, 10), LONG, "it ends after “grand tapis”"],
])
  test(about, () => assert.equal(said(now, before), expected));

test("if most words are new, the whole sentence is shown", () => {
  const now = LONG.map((word, at) => (at % 2 ? word : `${word}x`));
  assert.equal(said(now, LONG).replaceAll("*", ""), now.join(" "));
});
