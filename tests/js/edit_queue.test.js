/** The pacing of edits: one at a time, the newest of each cell. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EditQueue } from "../../app/components/board/data/edit_queue.js";

function queue() {
  /** @type {object[]} */
  const sent = [];
  const pressed = { number: 0 };
  const press = () => pressed.number;
  return { sent, pressed, edits: new EditQueue((message) => sent.push(message), press) };
}

test("an edit goes out at once", () => {
  const { sent, edits } = queue();
  edits.set("a", 1, 2, 0.5);
  assert.deepEqual(sent, [
    { type: "set", path: "a", i: 1, j: 2, value: 0.5, press: 0, id: 1, ack: 0 },
  ]);
});

test("an edit that waits is of the press by which it was made", () => {
  const { sent, edits, pressed } = queue();
  pressed.number = 7;
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  pressed.number = 0;
  edits.painted(1, 1);
  assert.deepEqual(
    sent.map((message) => "press" in message && message.press),
    [7, 7],
  );
});

test("while one is under way only the newest of a cell waits", () => {
  const { sent, edits } = queue();
  for (const value of [1, 2, 3, 4]) edits.set("a", 0, 0, value);
  assert.equal(sent.length, 1);
  assert.equal(edits.painted(1, 7), true);
  assert.deepEqual(sent[1], {
    type: "set",
    path: "a",
    i: 0,
    j: 0,
    value: 4,
    press: 0,
    id: 2,
    ack: 7,
  });
  assert.equal(edits.painted(2, 8), false);
  assert.equal(sent.length, 2);
});

test("the last position of every cell arrives", () => {
  const { sent, edits } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 1, 2);
  edits.set("b", 0, 0, 3);
  edits.set("a", 0, 1, 4);
  for (let id = 1; id < 5; id++) edits.painted(id, id);
  const values = sent.map((message) => "value" in message && message.value);
  assert.deepEqual(values, [1, 4, 3]);
});

test("what is given back is not sent any more", () => {
  const { sent, edits } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  edits.forget("a", 0, 0);
  assert.equal(edits.painted(1, 3), false);
  assert.equal(sent.length, 1);
});

test("a frame from before the edit does not answer it", () => {
  const { sent, edits } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  assert.equal(edits.painted(0, 3), false);
  assert.equal(sent.length, 1);
});

test("what is no number is not sent", () => {
  const { sent, edits } = queue();
  edits.set("a", 0, 0, Number.NaN);
  edits.set("a", 0, 0, Infinity);
  assert.deepEqual(sent, []);
});

test("what was set is known until the tab keeps it", () => {
  const { edits } = queue();
  const unkept = () => [...edits.unkept.values()].map(({ path, value }) => [path, value]);
  edits.set("a", 0, 0, 1);
  edits.set("b", 0, 0, 2);
  edits.kept(1);
  assert.deepEqual(unkept(), [["b", 2]]); // not sent yet
  edits.painted(1, 1);
  edits.set("b", 0, 0, 3);
  edits.kept(2);
  assert.deepEqual(unkept(), [["b", 3]]); // what was kept is the value before
  edits.painted(2, 2);
  edits.kept(3);
  assert.deepEqual(unkept(), []);
  edits.set("a", 0, 0, 4);
  edits.restore({ path: "a", i: 0, j: 0 });
  assert.deepEqual(unkept(), []);
});
