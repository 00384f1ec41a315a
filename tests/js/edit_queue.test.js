import assert from "node:assert/strict";
import { test } from "node:test";
import { EditQueue } from "../../app/board/data/edit_queue.js";
import { Outbox } from "../../app/transport/port/outbox.js";
import { write } from "../../app/transport/port/wire.js";
import { settled } from "./builders.js";

/** A queue whose messages are recorded, and answered when the test requests it. */
function queue() {
  const sent = [];
  const now = { press: 1, structure: "a1", isHeld: false };
  const outbox = new Outbox(write, ({ text }) => sent.push(JSON.parse(text)));
  const of = { to: 1, name: "Board" };
  const send = (message) => outbox.send(of, "message", message);
  const edits = new EditQueue(
    send,
    outbox,
    () => now.press,
    () => now.structure,
    () => now.isHeld,
  );
  const answer = async (version, sentence = "") => {
    const [, , , { n }] = sent.at(-1);
    outbox.answered({ done: [[n, sentence]], version, kept: version });
    await settled();
  };
  /** The recorded messages in short form. */
  const said = () =>
    sent.map(([, , { type, path, value }]) => (type === "set" ? `${path}=${value}` : type));
  return { sent, now, outbox, of, edits, answer, said };
}

test("an edit is sent at once, with its structure", () => {
  const { sent, edits } = queue();
  edits.set("a", 1, 2, 0.5);
  assert.deepEqual(sent[0].slice(0, 3), [
    "message",
    1,
    { type: "set", path: "a", i: 1, j: 2, of: "a1", press: 1, value: 0.5 },
  ]);
});

test("an edit of a held number is marked, and released after the last value", async () => {
  const { sent, now, edits, answer, said } = queue();
  now.isHeld = true;
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2); // waits
  assert.equal(sent[0][2].held, true);
  now.isHeld = false;
  edits.release();
  assert.deepEqual(said(), ["a=1", "a=2", "release"]);
  // The release is sent only once, and not for edits without a pointer.
  edits.release();
  await answer(1);
  edits.set("a", 0, 0, 3);
  edits.release();
  assert.equal(said().filter((each) => each === "release").length, 1);
});

test("the next edit waits for answer and paint, and has the newest value", async () => {
  const { sent, edits, answer, said } = queue();
  for (const value of [1, 2, 3, 4]) edits.set("a", 0, 0, value);
  assert.deepEqual(said(), ["a=1"]);
  assert.equal(edits.painted(4, 6), false); // the frame was computed before the edit
  await answer(5);
  assert.deepEqual(said(), ["a=1"]);
  assert.equal(edits.painted(5, 7), true);
  assert.deepEqual(said(), ["a=1", "a=4"]);
  assert.equal(sent[1][2].ack, 7);
  await answer(6);
  assert.equal(edits.painted(6, 8), false);
  assert.equal(sent.length, 2);
});

test("an answer after the paint sends the next edit", async () => {
  const { edits, answer, said } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  edits.painted(5, 7);
  await answer(5); // the edit changed nothing, so no paint follows
  assert.deepEqual(said(), ["a=1", "a=2"]);
});

test("an edit of another cell, press or structure does not replace a waiting edit", () => {
  const { edits, now, said } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  edits.set("a", 0, 1, 3);
  now.press = 2;
  edits.set("a", 0, 1, 4);
  now.structure = "b2";
  edits.set("a", 0, 1, 5);
  assert.deepEqual(said(), ["a=1", "a=2", "a=3", "a=4"]); // only the second edit waited
});

test("other actions are sent after waiting edits", () => {
  const { outbox, of, edits, said } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("b", 0, 0, 2);
  outbox.send(of, "message", { type: "undo" });
  edits.set("c", 0, 0, 3);
  outbox.send(of, "message", { type: "redo" });
  assert.deepEqual(said(), ["a=1", "b=2", "undo", "c=3", "redo"]);
});

test("messages that the page sends itself are sent before a waiting edit", () => {
  const { outbox, of, edits, said } = queue();
  edits.set("a", 0, 0, 1);
  edits.set("a", 0, 0, 2);
  outbox.send(of, "message", { type: "visible" }, { aside: true });
  outbox.send(of, "message", { type: "ack" }, { unanswered: true });
  assert.deepEqual(said(), ["a=1", "visible", "ack"]);
});

test("a restore by the same press replaces the waiting edit", async () => {
  const { edits, now, said, answer } = queue();
  edits.set("a", 0, 0, 1);
  const overtaken = edits.set("a", 0, 0, 2);
  const back = edits.restore({ path: "a", i: 0, j: 0 });
  assert.deepEqual(said(), ["a=1", "restore"]);
  await answer(3);
  assert.deepEqual(await Promise.all([overtaken, back]), [3, 3]);
  edits.set("a", 0, 0, 4);
  edits.painted(9, 1);
  edits.set("a", 0, 0, 5);
  edits.set("a", 0, 0, 6);
  now.press = 2;
  edits.restore({ path: "a", i: 0, j: 0 });
  assert.deepEqual(said().slice(2), ["a=4", "a=6", "restore"]);
});

test("each edit is settled when its value is applied; a refusal sends the next edit", async () => {
  const { edits, answer, said } = queue();
  const first = edits.set("a", 0, 0, 1);
  const second = edits.set("a", 0, 0, 2);
  const third = edits.set("a", 0, 0, 3);
  const refused = assert.rejects(first, { message: "Not so." });
  await answer(0, "Not so.");
  await refused;
  assert.deepEqual(said(), ["a=1", "a=3"]);
  await answer(8);
  assert.deepEqual(await Promise.all([second, third]), [8, 8]);
});
