import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { inOrder } from "../../app/shell/served/in_order.js";
import { settled } from "./builders.js";

/** @param {Uint8Array[]} pieces concatenated as in a message */
const joined = (...pieces) => ({
  bytes: Uint8Array.from(pieces.flatMap((each) => [...each])).buffer,
  lengths: pieces.map((each) => each.length),
});

function listening() {
  const taken = [];
  const hear = inOrder((text, buffers) => {
    taken.push([text, buffers.map((each) => [...new Uint8Array(each)])]);
  });
  const end = async () => {
    hear({ text: "end" });
    while (taken.at(-1)?.[0] !== "end") await settled();
  };
  return [hear, taken, end];
}

test("a text with bytes beside it is applied at once", () => {
  const [hear, taken] = listening();
  hear({ text: "a", ...joined([1, 2], [], [3]) });
  hear({ text: "b" });
  assert.deepEqual(taken, [
    ["a", [[1, 2], [], [3]]],
    ["b", []],
  ]);
});

test("a deflated text is the first of the bytes, and later messages wait for it", async () => {
  const [hear, taken, end] = listening();
  const long = "“long” ".repeat(5000);
  hear({ deflated: true, ...joined(deflateSync(long), [7]) });
  hear({ text: "short", ...joined([8]) });
  hear({ deflated: true, ...joined(deflateSync("last")) });
  assert.deepEqual(taken, []);
  await end();
  assert.deepEqual(taken, [
    [long, [[7]]],
    ["short", [[8]]],
    ["last", []],
    ["end", []],
  ]);
  await settled();
  hear({ text: "at once" });
  assert.equal(taken.at(-1)?.[0], "at once");
});

test("a text that cannot be inflated is reported, and later messages are applied", async (t) => {
  const told = [];
  globalThis.reportError = (error) => told.push(error);
  t.after(() => delete globalThis.reportError);
  const [hear, taken, end] = listening();
  hear({ deflated: true, ...joined([1, 2, 3]) });
  await end();
  assert.deepEqual(taken, [["end", []]]);
  assert.equal(told.length, 1);
});
