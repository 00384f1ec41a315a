/** What goes over the socket tells what is not answered yet. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Conversation } from "../../app/page/served/conversation.js";

/** @param {Conversation} over @param {string} id @param {string} content */
function send(over, id, content) {
  for (const part of [`{"msgid":"${id}","msgtype":"PATCH-DOC"}`, "{}", content]) over.sent(part);
}

/** A message to a component, as it stands in an event of Bokeh's. @param {string} type */
const event = (type) => {
  const text = JSON.stringify(["message", 7, { type, seq: 1 }]);
  return JSON.stringify({ events: [{ values: { entries: [["data", [["text", text]]]] } }] });
};

test("a change is unanswered until its answer comes", () => {
  const over = new Conversation();
  send(over, "a", JSON.stringify(["text", '["set",7,{"value":1}]']));
  send(over, "b", event("undo"));
  assert.deepEqual([...over.unanswered], ["a", "b"]);
  const found = over.received('{"msgid":"x","msgtype":"OK","reqid":"a"}');
  assert.deepEqual(found, { isAnswer: true, isHidden: false });
  assert.deepEqual([...over.unanswered], ["b"]);
});

test("what the board says by itself is no change of the reader's", () => {
  const over = new Conversation();
  for (const type of ["ack", "visible", "hover", "set", "ready"]) send(over, type, event(type));
  assert.equal(over.unanswered.size, 0);
});

test("the answer to a question is kept from all others, whole", () => {
  const over = new Conversation();
  const [header] = over.question();
  assert.equal(JSON.parse(header).msgtype, "SERVER-INFO-REQ");
  const answer = '{"msgid":"y","msgtype":"SERVER-INFO-REPLY","reqid":"heartbeat-1"}';
  const parts = [answer, "{}", '{"version_info":{}}', '{"msgid":"z","msgtype":"PATCH-DOC"}'];
  assert.deepEqual(
    parts.map((part) => over.received(part).isHidden),
    [true, true, true, false],
  );
  assert.equal(over.received(new ArrayBuffer(4)).isAnswer, false);
});
