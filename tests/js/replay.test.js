/** Replayed messages of the site's build, compared with those of the running Python. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Replay } from "../../app/site/replay.js";

const packet = (entries, ...bytes) => ({
  text: JSON.stringify(entries),
  buffers: bytes.map((each) => new Uint8Array(each).buffer),
});

const FRAME = ["message", 1, { type: "frame", bytes: { $bytes: 0 } }];
const SCENARIO = ["message", 1, { type: "scenario" }];
const PLACE = ["place", 0, { main: [] }];

test("repeated messages are omitted, entry by entry", () => {
  const replay = new Replay([packet([PLACE]), packet([SCENARIO, FRAME], [1, 2])], {});
  assert.equal(replay.news(packet([PLACE])), null);
  assert.equal(replay.news(packet([SCENARIO, FRAME], [1, 2])), null);
  const later = packet([SCENARIO]);
  assert.deepEqual(replay.news(later), later);
});

test("numbers that differ by a little are applied, without the other entries", () => {
  const replay = new Replay([packet([SCENARIO, FRAME], [1, 2])], {});
  const news = replay.news(packet([SCENARIO, FRAME], [1, 3]));
  assert.deepEqual(JSON.parse(news.text), [FRAME]);
  assert.deepEqual([...new Uint8Array(news.buffers[0])], [1, 3]);
});

test("from the first different text on, all messages are applied", () => {
  const replay = new Replay([packet([PLACE]), packet([SCENARIO])], {});
  const other = packet([["place", 0, { main: [1] }]]);
  assert.deepEqual(JSON.parse(replay.news(other).text), JSON.parse(other.text));
  assert.ok(replay.news(packet([SCENARIO])));
});

test("a suggestion is answered once, and only before any change", () => {
  const press = JSON.stringify(["message", 2, { type: "press", name: "swing" }]);
  const set = JSON.stringify(["message", 1, { type: "set", path: "W" }]);
  const look = JSON.stringify(["message", 1, { type: "visible" }]);
  const dark = JSON.stringify(["set", 3, { dark: true }]);
  const compare = JSON.stringify(["compare", 0, { posts: 1, version: 0 }, { n: 4 }]);
  const stamped = JSON.stringify([...JSON.parse(press), { n: 5, at: 17.5, model: "phrases" }]);
  const first = new Replay([], { [press]: "answer.json" });
  for (const text of [look, dark, compare]) assert.equal(first.answer(text), undefined);
  assert.equal(first.answer(stamped), "answer.json");
  assert.equal(first.answer(stamped), undefined);
  const other = new Replay([], { [press]: "answer.json" });
  other.answer(set);
  assert.equal(other.answer(press), undefined);
});
