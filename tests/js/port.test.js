import assert from "node:assert/strict";
import { test } from "node:test";
import { ComponentModel, same } from "../../app/transport/port/model.js";
import { read, write } from "../../app/transport/port/wire.js";

test("a written message can be read", () => {
  for (const value of [
    [1, "…", null, true, { a: [] }],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
    { $bytes: 3 },
    { word: "$", deep: { $number: { x: Number.NaN } } },
  ]) {
    const { text, buffers } = write(value);
    assert.deepEqual(read(text, buffers), value);
  }
});

test("bytes are sent beside the text, as buffers without other contents", () => {
  const floats = new Float32Array([1, 2, 3]).subarray(1);
  const { text, buffers } = write({ floats, raw: new Uint8Array([7]).buffer });
  assert.equal(text, '{"floats":{"$bytes":0},"raw":{"$bytes":1}}');
  const back = read(text, buffers);
  assert.deepEqual([...new Float32Array(back.floats)], [2, 3]);
  assert.deepEqual([...new Uint8Array(back.raw)], [7]);
});

function opened(properties) {
  const said = [];
  const say = async (kind, content) => said.push([kind, content]);
  const model = new ComponentModel({ ...properties }, say, { number: 0 });
  return { model, face: model.proxy, said };
}

test("a property that is set is sent once, and its listeners run", () => {
  const { face, said } = opened({ value: [1], label: "a" });
  const heard = [];
  face.on("value", () => heard.push(face.value));
  face.value = [1, 2];
  face.value = [1, 2];
  assert.deepEqual(said, [["set", { value: [1, 2] }]]);
  assert.deepEqual(heard, [[1, 2]]);
  assert.throws(() => {
    face.other = 1;
  });
});

test("all values are set before any listener runs", () => {
  const { model, face } = opened({ a: 1, b: 1 });
  const seen = [];
  face.on("a", () => seen.push([face.a, face.b]));
  model.notify(model.take({ a: 2, b: 2 }));
  assert.deepEqual(seen, [[2, 2]]);
});

test("a removed listener does not run", () => {
  const { model, face } = opened({ a: 1 });
  const listener = () => assert.fail("heard");
  face.on("a", listener);
  face.off("a", listener);
  model.notify(["a"]);
});

test("messages wait until the component listens", () => {
  const { model, face } = opened({});
  model.message({ n: 1 });
  const heard = [];
  face.on("msg:custom", (message) => heard.push(message.n));
  model.begin();
  model.message({ n: 2 });
  assert.deepEqual(heard, [1, 2]);
});

test("values are compared by their contents", () => {
  assert.ok(same({ a: [1, { b: null }] }, { a: [1, { b: null }] }));
  assert.ok(!same({ a: 1 }, { a: 1, b: undefined }));
  assert.ok(!same([1], { 0: 1 }));
  assert.ok(!same(null, {}));
  assert.ok(same(Number.NaN, Number.NaN));
});
