import assert from "node:assert/strict";
import { test } from "node:test";
import { Paced } from "../../app/components/shared/paced.js";
import { LabelPlaces } from "../../app/ideas/kit/label_places.js";
import { PlaneMoves } from "../../app/ideas/kit/plane_moves.js";
import { nextPress } from "../../app/ideas/kit/press.js";
import { Outbox } from "../../app/transport/port/outbox.js";
import { write } from "../../app/transport/port/wire.js";
import { settled } from "./builders.js";

/** A model whose messages are recorded, and answered when the test requests it. */
function recorded() {
  const sent = [];
  const open = [];
  const request = (message) => {
    sent.push(message);
    return new Promise((done, fail) => open.push({ done, fail }));
  };
  const answer = async (how = "done") => {
    open.shift()[how](new Error("refused"));
    await settled();
  };
  return { model: { request }, paced: new Paced({ request }), sent, answer };
}

test("of the waiting moves only the newest is sent, and the release after it", async () => {
  const { paced, sent, answer } = recorded();
  for (const x of [1, 2, 3, 4, 5]) paced.say({ x });
  paced.end({ type: "release" });
  assert.deepEqual(sent, [{ x: 1 }, { x: 2 }]);
  await answer();
  assert.deepEqual(sent.slice(2), [{ x: 5 }]);
  await answer();
  assert.deepEqual(sent.slice(3), [{ type: "release" }]);
  await answer();
  await answer();
  assert.equal(sent.length, 4);
});

test("with a limit of one, the newest move is sent after the answer", async () => {
  const { model, sent, answer } = recorded();
  const paced = new Paced(model, 1);
  for (const x of [1, 2, 3]) paced.say({ x });
  assert.deepEqual(sent, [{ x: 1 }]);
  paced.say({ x: 4 });
  await answer();
  assert.deepEqual(sent, [{ x: 1 }, { x: 4 }]);
  await answer();
  assert.equal(sent.length, 2);
});

test("waiting moves are sent before any other action", async () => {
  const { model, sent } = recorded();
  const outbox = new Outbox(write, () => {});
  const paced = new Paced({ ...model, outbox }, 1);
  for (const x of [1, 2, 3]) paced.say({ x });
  assert.deepEqual(sent, [{ x: 1 }]);
  outbox.flush();
  assert.deepEqual(sent, [{ x: 1 }, { x: 3 }]);
  outbox.flush();
  assert.equal(sent.length, 2);
});

test("moves are settled after the last answer, even after a refusal", async () => {
  const { paced, answer } = recorded();
  let count = 0;
  paced.say({ x: 1 });
  paced.say({ x: 2 });
  paced.settled(() => {
    count += 1;
  });
  await answer("fail");
  assert.equal(count, 0);
  await answer();
  assert.equal(count, 1);
  paced.say({ x: 3 });
  await answer();
  assert.equal(count, 1);
});

test("each press has a number of its own, and the keyboard has 0", () => {
  const [first, second] = [nextPress(), nextPress()];
  assert.ok(first > 0 && second === first + 1);
});

test("a dragged point stays at its place until all answers have arrived", async () => {
  const { sent, model, answer } = recorded();
  const moves = new PlaneMoves(model, () => {});
  moves.begin();
  moves.move(2, [0.5, 1], true);
  moves.end();
  assert.deepEqual(moves.held, { index: 2, to: [0.5, 1] });
  await answer();
  assert.ok(moves.held, "the release is still on its way");
  await answer();
  assert.equal(moves.held, null);
  assert.deepEqual(
    sent.map(({ type, held }) => [type, held]),
    [
      ["move", true],
      ["release", undefined],
    ],
  );
});

/** A label of 50 px. */
function label(at, rank, away) {
  const classes = new Map();
  const attributes = new Map();
  const text = {
    textContent: `word at ${at}`,
    getComputedTextLength: () => 50,
    classList: { toggle: (name, on) => classes.set(name, on) },
    setAttribute: (name, value) => attributes.set(name, value),
  };
  return { text, at, rank, away, classes, attributes };
}

/** Places labels in a figure whose units are pixels. */
function place(...labels) {
  const svg = { querySelectorAll: () => labels.map(({ text }) => text) };
  const figure = { size: { width: 400, height: 300 }, toPixels: (at) => at, svg };
  new LabelPlaces(figure).place(labels, "text");
}

test("a label without space is omitted, unless it is important", () => {
  const crowd = [
    [100, 100],
    [104, 102],
    [108, 98],
    [103, 96],
    [106, 104],
    [101, 103],
  ].map((at) => label(at, 1));
  const chosen = label([105, 100], 3);
  place(...crowd, chosen);
  assert.equal(chosen.classes.get("crowded"), false);
  assert.ok(crowd.some(({ classes }) => classes.get("crowded")));
});

test("labels are on the far side of their arrows, and inside the figure", () => {
  const left = label([200, 150], 1, [-1, 0.1]);
  const below = label([60, 60], 1, [0.1, -1]);
  const edge = label([390, 250], 1, [1, 0]);
  place(left, below, edge);
  assert.equal(left.attributes.get("text-anchor"), "end");
  assert.ok(Number(below.attributes.get("y")) > 10);
  assert.equal(edge.attributes.get("text-anchor"), "end");
});
