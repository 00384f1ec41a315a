import assert from "node:assert/strict";
import { test } from "node:test";
import { LaneWords, nameWord } from "../../app/board/picture/lane_words.js";

test("the title of a row that is only read names no word to write", () => {
  const said = new Map();
  const getAttribute = (name) => said.get(name) ?? null;
  const el = { textContent: "", getAttribute, setAttribute: (name, text) => said.set(name, text) };
  const lanes = { stack: "decoder", title: "Decoder", words: ["noir"], names: ["noir"] };
  const entry = { ...lanes, right: ["lapin"], allowed: [] };
  nameWord(el, entry, 0);
  assert.equal(said.get("title"), "Follow “noir”, which is read here, through the model");
});

test("a changed word is named with its row, and the shown row's word comes first", () => {
  const lanes = ["le", "chat", "le"].map((word, index) => ({
    lane: { stack: "decoder", index },
    el: { textContent: word },
  }));
  const written = lanes.map(({ lane }) => ({ lane, el: { textContent: "dort" } }));
  const rewritten = (before, row) =>
    LaneWords.prototype.rewritten.call({ words: lanes, written }, before, row);
  assert.equal(rewritten(["chat", "noir", "dort"], 1), "after “\u2068chat\u2069”: noir → dort");
  assert.equal(
    rewritten(["chat", "dort", "dort"], 1),
    "after the first “\u2068le\u2069”: chat → dort",
  );
  assert.equal(rewritten(["dort", "dort", "dort"], 1), "");
});
