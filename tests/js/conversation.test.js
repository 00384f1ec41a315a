/** Messages over the socket, as Bokeh's server writes and reads them. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Conversation } from "../../app/shell/served/conversation.js";

const hear = (over, fragments) => fragments.map((each) => over.receive(each)).at(-1);

const lines = (text) => String(text).split("\n");

test("an action becomes a message to the port, with its bytes by name", () => {
  const over = new Conversation("p7");
  const bytes = new Uint8Array([1, 2]).buffer;
  const [text, name, piece] = over.posting({ text: "[]", buffers: [bytes] });
  const [header, metadata, content] = lines(text);
  assert.deepEqual(JSON.parse(header), { msgid: "1", msgtype: "PATCH-DOC", num_buffers: 1 });
  assert.equal(metadata, "{}");
  const [{ kind, msg_type, msg_data }] = JSON.parse(content).events;
  assert.deepEqual([kind, msg_type], ["MessageSent", "bokeh_event"]);
  assert.deepEqual([msg_data.type, msg_data.name], ["event", "data_event"]);
  const [[, model], [, data]] = msg_data.values.entries;
  assert.deepEqual(model, { id: "p7" });
  assert.deepEqual(data.entries, [
    ["text", "[]"],
    ["buffers", [{ type: "bytes", data: { id: "b0" } }]],
  ]);
  assert.deepEqual(JSON.parse(name), { id: "b0" });
  assert.equal(piece, bytes);
  const [withoutBytes] = over.posting({ text: "[]\n", buffers: [] });
  assert.equal(lines(withoutBytes).length, 3);
  assert.equal(JSON.parse(lines(withoutBytes)[0]).num_buffers, undefined);
});

test("a browser states whether it can inflate texts", (t) => {
  const data = () => {
    const [, , content] = lines(new Conversation("p7").opening()[0]);
    const [{ msg_data }] = JSON.parse(content).events;
    return Object.fromEntries(msg_data.values.entries).data.entries;
  };
  assert.deepEqual(data(), [["inflates", true]]);
  const { DecompressionStream } = globalThis;
  t.after(() => Object.assign(globalThis, { DecompressionStream }));
  delete globalThis.DecompressionStream;
  assert.deepEqual(data(), []);
});

test("a message of the port is read once all its parts have arrived", () => {
  const over = new Conversation("p7");
  const entries = [
    ["text", "[]"],
    ["bytes", { type: "bytes", data: { id: "x" } }],
    ["lengths", [3]],
  ];
  const values = { type: "map", entries: [["data", { type: "map", entries }]] };
  const events = [
    { kind: "MessageSent", msg_data: { name: "esm_event", values } },
    { kind: "TitleChanged", title: "another" },
  ];
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  const fragments = [
    '{"msgid":"1","msgtype":"PATCH-DOC","num_buffers":1}',
    "{}",
    JSON.stringify({ events }),
    '{"id":"x"}',
  ];
  for (const each of fragments) assert.equal(over.receive(each), null);
  assert.deepEqual(over.receive(bytes)?.contents, [{ text: "[]", bytes, lengths: [3] }]);
  const next = hear(over, ['{"msgid":"2","msgtype":"ACK"}', "{}", "{}"]);
  assert.deepEqual([next?.header.msgtype, next?.contents], ["ACK", []]);
});

test("a question requests only an answer", () => {
  const over = new Conversation("p7");
  const [header] = lines(over.question()[0]);
  assert.equal(JSON.parse(header).msgtype, "SERVER-INFO-REQ");
  const found = hear(over, ['{"msgid":"x","msgtype":"SERVER-INFO-REPLY","reqid":"1"}', "{}", "{}"]);
  assert.equal(found?.header.reqid, "1");
});
