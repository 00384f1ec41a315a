/** The words at the beginnings of rows. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { nameWord } from "../../app/board/picture/lane_words.js";

test("of a row that is read nothing is said that its numbers would have to write", () => {
  const said = {};
  const el = {
    textContent: "",
    getAttribute: (name) => said[name] ?? null,
    setAttribute: (name, text) => {
      said[name] = text;
    },
  };
  const lanes = { stack: "decoder", title: "Decoder", words: ["noir"], names: ["noir"] };
  const entry = { ...lanes, right: ["lapin"], allowed: [] };
  nameWord(el, entry, 0);
  assert.equal(said.title, "Follow “noir”, which is read here, through the model");
});
