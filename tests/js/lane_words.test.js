import assert from "node:assert/strict";
import { test } from "node:test";
import { nameWord } from "../../app/board/picture/lane_words.js";

test("of a row that is read nothing is said that its numbers would have to write", () => {
  const said = new Map();
  const getAttribute = (name) => said.get(name) ?? null;
  const el = { textContent: "", getAttribute, setAttribute: (name, text) => said.set(name, text) };
  const lanes = { stack: "decoder", title: "Decoder", words: ["noir"], names: ["noir"] };
  const entry = { ...lanes, right: ["lapin"], allowed: [] };
  nameWord(el, entry, 0);
  assert.equal(said.get("title"), "Follow “noir”, which is read here, through the model");
});
