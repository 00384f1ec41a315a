import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix } from "../../app/board/data/matrix.js";
import { arrivals, Backward } from "../../app/board/focus/backward.js";
import { columnsOf } from "../../app/board/focus/flow.js";
import { FocusFlow } from "../../app/board/focus/focus_flow.js";
import { links, part, strip } from "./builders.js";

// An input with a table, an attention with a weight and a gain, and an output. The last matrix is a
// window of the table.
const SIZES = [3, 3, 2, 3, 3, 1, 3];
const entry = {
  parts: [
    part("in", "input", "s", [strip(0, "s")], [4]),
    part("self", "attention", "s", [links([2], "s", "s"), { ...strip(1, "s"), under: [5] }]),
    part("out", "output", "s", [strip(3, "s")]),
  ],
};

function page({ isStill = false } = {}) {
  globalThis.matchMedia = () => ({ matches: isStill });
  const byIndex = SIZES.map((cols, index) => {
    const overview = index === 6 ? { overview: "m4" } : {};
    return new Matrix({ path: `m${index}`, rows: 1, cols, ...overview }, index);
  });
  const matrices = new Map(byIndex.map((matrix) => [matrix.path, matrix]));
  const touched = [];
  const painter = { schedule() {}, touchMatrix: (m) => touched.push(m) };
  const page = { showsGradients: true };
  const backward = new Backward({
    ...{ store: { byIndex, matrices }, painter },
    showsGradients: () => page.showsGradients,
  });
  const flow = new FocusFlow({ store: { byIndex } });
  flow.show(entry);
  backward.show(flow);
  const arrive = (by = 1) => {
    for (const matrix of byIndex) {
      matrix.gradients = new Float32Array(matrix.cells).fill(by * 10 ** -matrix.index);
      matrix.values = new Float32Array(matrix.cells).fill(0.5);
    }
    backward.forget();
  };
  const strengths = () => byIndex.map((matrix) => backward.of(matrix)[0]);
  return { backward, flow, byIndex, touched, arrive, strengths, page };
}

test("what is computed last is reached first, and weights after the rest of their part", () => {
  const at = arrivals(entry, columnsOf(entry), 300);
  const found = Object.fromEntries(at);
  assert.deepEqual(found, { 0: 300, 1: 100, 2: 200, 3: 0, 4: 300, 5: 200 });
});

test("the wave starts when the gradients arrive, and reached matrices stay visible", () => {
  const { backward, byIndex, touched, arrive, strengths } = page();
  backward.begin();
  assert.deepEqual(backward.tick(1000), [], "it waits for them");
  assert.deepEqual(strengths(), [0, 0, 0, 0, 0, 0, 0]);
  arrive();
  backward.tick(5000);
  assert.deepEqual(strengths(), [0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(backward.tick(5400), [byIndex[3]]);
  const [, , , first] = strengths();
  assert.ok(first > 0);
  assert.deepEqual(touched, [byIndex[3]], "nothing else is repainted");
  backward.tick(6300);
  assert.deepEqual(strengths().map(Boolean), [false, true, false, true, false, false, false]);
  backward.tick(9000);
  assert.ok(strengths().every((strength) => strength > 0));
  assert.equal(strengths()[3], first);
  assert.deepEqual(backward.tick(9100), [], "at rest it costs nothing");
});

test("strengths are relative to the largest computed number, and small ones are visible", () => {
  const { backward, byIndex, arrive, strengths } = page();
  arrive();
  assert.equal(strengths()[0], 1);
  assert.ok(Math.abs(strengths()[1] - 0.1 ** 0.4) < 1e-6);
  byIndex[4].gradients?.fill(-50); // the gradient of a weight
  assert.equal(strengths()[4], 1);
  assert.equal(strengths()[0], 1);
  byIndex[1].gradients?.set([Number.NaN, 0, -100]);
  backward.forget();
  assert.deepEqual([...backward.of(byIndex[1])], [0, 0, 1]);
  assert.ok(Math.abs(strengths()[0] - 0.01 ** 0.4) < 1e-6);
});

test("a link is as strong as its gradient flow: its weight times its gradient", () => {
  const { backward, byIndex, arrive } = page();
  arrive();
  const [, , links] = byIndex;
  links.values?.set([0.9, 0.1]);
  links.gradients?.set([0.01, -0.09]);
  backward.forget();
  const isFull = (strength) => Math.abs(strength - 1) < 1e-6;
  assert.ok([...backward.of(links)].every(isFull));
  links.gradients?.set([-0.01, 0.009]);
  backward.forget();
  const [first, second] = backward.of(links);
  assert.equal(first, 1);
  assert.ok(isFull(second + 1 - 0.1 ** 0.8), "a thin link with a large gradient carries little");
  links.values?.fill(0);
  backward.forget();
  assert.deepEqual([...backward.of(links)], [0, 0]);
});

test("with reduced motion the whole picture is there at once", () => {
  const { backward, arrive, strengths } = page({ isStill: true });
  backward.begin();
  arrive();
  assert.deepEqual(backward.tick(0), []);
  assert.ok(strengths().every((strength) => strength > 0));
});

test("another picture ends the wave, and a picture of values has no wave", () => {
  const { backward, flow, arrive, strengths, page: shown } = page();
  arrive();
  backward.begin();
  backward.tick(0);
  backward.show(flow);
  assert.ok(strengths().every((strength) => strength > 0));
  shown.showsGradients = false;
  assert.equal(backward.isOn, false);
  backward.begin();
  assert.ok(!backward.isDue);
});

test("unfolded weights have a strip and links, and the strength of the links", () => {
  const flow = new FocusFlow({});
  flow.show({ parts: [part("a", "attention", "s", [strip(0, "s"), links([0], "s", "s")])] });
  assert.equal(flow.isLinks({ index: 0 }), true);
});
