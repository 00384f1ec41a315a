import assert from "node:assert/strict";
import { test } from "node:test";

const { markOf, splitTyped, tokenName, unknownSentence, unlearnedWords } = await import(
  "../../app/features/tokens/token_text.js"
);

test("a token that runs from right to left does not reorder its surroundings", () => {
  assert.equal(tokenName("black"), "black");
  assert.equal(tokenName(""), "empty token");
  assert.equal(tokenName("\u202eabc\u2069"), "\u2068\u202eabc\u2069");
  assert.equal(tokenName("שלום"), "\u2068שלום\u2069");
});

test("of several typed words, only those outside the vocabulary are unlearned", () => {
  const learned = ["kleiner", "hund", "spielt"];
  const unlearned = (typed) => unlearnedWords(splitTyped(typed, { unit: "word" }), learned);
  assert.deepEqual(unlearned("kleiner hund spielt"), []);
  assert.deepEqual(unlearned("kleiner hu"), []); // the last word is unfinished
  assert.deepEqual(unlearned("kleiner hu spielt "), ["hu"]);
  assert.deepEqual(unlearned("kleiner pizza"), ["pizza"]);
  assert.deepEqual(unlearned("pizza"), ["pizza"]);
});

test("a word that a model refuses has no row of numbers", () => {
  const said = "“a” and “b”: this model does not know these words.";
  assert.equal(unknownSentence(["a", "b"], true), said);
  assert.match(unknownSentence(["a", "b"]), /Their rows of numbers are random/);
});

test("a followed word and the word that it looks at have different marks", () => {
  const marks = { focus: 2, followed: true, asked: null };
  assert.equal(markOf(marks, 2), "focus");
  assert.equal(markOf({ ...marks, followed: false }, 2), "looked-at");
  assert.equal(markOf({ ...marks, asked: 3 }, 3), "asked");
  assert.equal(markOf(marks, 1), "");
});
