import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox } from "../../app/transport/port/outbox.js";
import { write } from "../../app/transport/port/wire.js";
import { settled } from "./builders.js";

const CHIPS = { to: 3, name: "Tokens", seen: 2 };
const WORD = { type: "tokens", tokens: ["hen"] };

function opened(names = { 3: "Tokens", 7: "Form" }) {
  const sent = [];
  const post = ({ text, buffers }) => sent.push([...JSON.parse(text), buffers.length]);
  const outbox = new Outbox(write, post, (to) => names[to]);
  outbox.limits = { letters: 10, items: 4, bytes: 2 << 20 };
  outbox.model = "phrases";
  /** @param {number[]} numbers numbers of the messages that are done */
  const answer = async (numbers, { version = 0, kept = 0, sentence = "" } = {}) => {
    outbox.answered({ done: numbers.map((n) => [n, sentence]), version, kept });
    await settled();
  };
  return { outbox, sent, answer };
}

test("each message is numbered and settled, with the version that was shown", () => {
  const { outbox, sent } = opened();
  outbox.send(CHIPS, "message", WORD);
  outbox.send({ to: 7, name: "Form" }, "set", { value: 1 });
  const [first, second] = sent.map(([, , , stamp]) => stamp);
  assert.deepEqual([first.n, first.model, first.seen], [1, "phrases", 2]);
  assert.deepEqual([second.n, second.seen], [2, undefined]);
  assert.ok(second.at >= first.at);
});

test("an answered message is settled, or refused with a sentence", async () => {
  const { outbox, answer } = opened();
  const done = outbox.send(CHIPS, "message", WORD);
  const refused = assert.rejects(outbox.send(CHIPS, "message", WORD), { message: "No hens." });
  await answer([1], { version: 5 });
  assert.equal(await done, 5);
  await answer([2], { sentence: "No hens." });
  await refused;
});

test("a message that is too long or has too many or too large parts is not sent", async () => {
  const { outbox, sent } = opened();
  const errors = [];
  const said = (content, how) => {
    outbox.send(CHIPS, "message", content, how).catch((error) => errors.push(error.message));
    return settled();
  };
  await said({ type: "tokens", tokens: ["a".repeat(11)] });
  await said({ type: "tokens", tokens: ["a", "b", "c", "d", "e"] });
  // Each quotation mark takes four bytes, because it is escaped twice.
  await said({ type: "open", text: '"'.repeat(700_000) }, { isLong: true });
  await said({ type: "part", bytes: new Uint8Array(3 << 20) });
  assert.deepEqual(errors, [
    "A text has at most 10 letters here, and this one has 11.",
    "At most 4 can be sent at once, and these are 5.",
    "This is too large to be sent: it takes 2.7 MB on its way, and 2 MB are the most.",
    "This is too large to be sent: it takes 3.1 MB on its way, and 2 MB are the most.",
  ]);
  assert.deepEqual(sent, []);
  errors.length = 0;
  await said({ type: "tokens", tokens: ["a".repeat(10), "b", "c", "d"] });
  await said({ type: "open", text: "a".repeat(2_000_000) }, { isLong: true });
  await said({ type: "open", bytes: new TextEncoder().encode('"'.repeat(2_000_000)) });
  assert.deepEqual(errors, []);
  // A refused message gets no number, because Python would wait for it.
  assert.equal(outbox.number, 3);
});

test("messages that the tab does not store yet are sent again by the next page", async () => {
  const { outbox, answer } = opened();
  for (const value of [1, 2, 3]) outbox.send({ to: 7, name: "Form" }, "set", { value });
  const values = () => outbox.rest.said.map(({ content }) => content.value);
  assert.deepEqual(values(), [1, 2, 3]);
  await answer([1], { kept: 5 });
  assert.deepEqual(values(), [1, 2, 3]); // done, but not stored by the tab yet
  outbox.keeps(4);
  assert.deepEqual(values(), [1, 2, 3]);
  outbox.keeps(5);
  assert.deepEqual(values(), [2, 3]);
  await answer([2], { kept: 5 }); // the message changed nothing to store
  assert.deepEqual(values(), [3]);
  outbox.open.get(3)?.done(0);
  outbox.send(CHIPS, "message", WORD).catch(() => {});
  await answer([4], { sentence: "No hens." });
  assert.deepEqual(values(), [3]);
});

test("waiting messages are stored too, and the page states if one cannot be sent again", () => {
  const { outbox } = opened();
  outbox.hold("slider", () => outbox.send(CHIPS, "message", { type: "set" }));
  assert.deepEqual(
    outbox.rest.said.map(({ content }) => content),
    [{ type: "set" }],
  );
  assert.equal(outbox.rest.isLost, false);
  outbox.send(CHIPS, "message", { type: "visible" }, { aside: true });
  assert.equal(outbox.rest.isLost, false);
  outbox.send(CHIPS, "message", { type: "part", bytes: new Uint8Array(3) }, { passes: true });
  assert.equal(outbox.rest.isLost, true);
  assert.equal(outbox.rest.said.length, 1);
});

test("the next page sends a message again, to the same component", async () => {
  const before = opened();
  before.outbox.send(CHIPS, "message", WORD);
  before.outbox.send({ to: 7, name: "Form" }, "set", { value: 1 });
  const { said } = JSON.parse(JSON.stringify(before.outbox.rest));
  const next = opened({ 3: "Tokens", 7: "Tabs" });
  next.outbox.model = "dates";
  next.outbox.toResend = [...said];
  assert.deepEqual(next.outbox.rest.said, said); // this page may end before it can send them
  assert.equal(next.outbox.resend(), false);
  const [[kind, to, content, stamp]] = next.sent;
  assert.deepEqual([kind, to, content], ["message", 3, WORD]);
  assert.deepEqual([stamp.n, stamp.model, stamp.at], [1, "phrases", said[0].at]);
  assert.equal(next.sent.length, 1);
  // The next page may also end before the action is done.
  assert.deepEqual(next.outbox.rest, { said: [{ ...said[0], again: 1 }], isLost: false });
});

test("an action that ends every page is not sent again by all of them", () => {
  const first = opened();
  first.outbox.send(CHIPS, "message", WORD);
  let { rest } = first.outbox;
  for (let pages = 0; pages < 5; pages++) {
    const { outbox } = opened();
    assert.equal(rest.isLost, false);
    outbox.toResend = rest.said;
    outbox.resend();
    rest = outbox.rest;
  }
  assert.deepEqual(rest, { said: [], isLost: true });
});

test("the browser asks for the number of handled messages", () => {
  const { outbox, sent } = opened();
  outbox.posts = 4;
  outbox.compare(17);
  assert.deepEqual(sent[0].slice(0, 3), ["compare", 0, { posts: 4, version: 17 }]);
  assert.deepEqual(outbox.rest.said, []);
});
