import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { drawLinks } from "../../app/board/export/link_drawing.js";
import {
  ease,
  MIN_WEIGHT,
  shiftOf,
  strengthInCrowd,
  thickness,
} from "../../app/board/links/curve.js";
import { LinkCrowd } from "../../app/board/links/link_crowd.js";
import { LinkCurves, thinOut } from "../../app/board/links/link_curves.js";
import { NO_FOLDS } from "../../app/board/picture/folds.js";
import { LaneLinks } from "../../app/board/picture/lane_links.js";
import { entry, matrix } from "./builders.js";

const MASKED = 16;

/** The strokes: their colors, the ends of each curve, and where the paper is drawn over them. */
function strokes(drawn) {
  const [colors, curves] = [[], []];
  let from = 0;
  const ctx = {
    ...{ save() {}, restore() {}, beginPath() {}, setLineDash() {}, strokeStyle: "" },
    stroke: () => colors.push(ctx.strokeStyle),
    fillRect: () => curves.push("paper"),
    moveTo(_x, y) {
      from = y;
    },
    bezierCurveTo: (...numbers) => curves.push(`${from} ${numbers.at(-1)}`),
  };
  assert.ok(drawn.paintOn(ctx));
  const { yFrom, yTo } = drawn.drawing();
  return { colors, curves, ends: (i, j) => `${yFrom(i)} ${yTo(j)}` };
}

/** The links of a self-attention with these weights and flags; tokens are one unit apart. */
function links(weights, flags, silenced = [], strengths = null, plane = "value") {
  const rows = Math.sqrt(weights.length);
  const labels = Array.from({ length: rows }, (_, k) => `w${k}`);
  const described = entry("a", rows, rows, { head: 0, row_labels: labels, col_labels: labels });
  const painter = { add() {}, remove() {} };
  const gray = { headColor: () => "gray" };
  const theme = {
    ...{ muted: "", lineStrong: "gray", headColor: () => "own", withGrayLinks: () => gray },
    ...{ positive: "blue", negative: "red" },
  };
  const picture = {
    services: {
      ...{ painter, appearance: { theme, plane }, cursors: { selection: null, pointed: null } },
      strengths: () => strengths && Float32Array.from(strengths),
      grown: () => 1,
      isFilmed: () => false,
      store: { manifest: { silenced } },
    },
    viewpoint: {
      camera: { x: 0, y: 0, zoom: 1, tall: 1, deep: 1, wide: 1, most: 1, folds: NO_FOLDS },
      view: { width: 100, height: 100 },
      boxOf: () => ({ x: 0, y: 0, width: 100, height: 100 }),
    },
    canvas: { linkTime: { isLeft: true, spend() {}, late: new Set() } },
    headAlone: () => null,
  };
  const item = { stack: "decoder", keys: "decoder" };
  const placed = { part: "decoder.0.self_attn", item, left: 0, right: 50 };
  return new LaneLinks(picture, placed, [matrix(described, weights, flags)], new Map());
}

test("a masked link is absent, and a small link is a hairline", () => {
  const weights = [1, 0, 0, 0.999, 0.001, 0, 0.3, 0.3, 0.4];
  const flags = [0, MASKED, MASKED, 0, 0, MASKED, 0, 0, 0];
  const { curves, ends } = strokes(links(weights, flags));
  const expected = [ends(0, 0), ends(1, 0), ends(1, 1), ends(2, 0), ends(2, 1), ends(2, 2)];
  assert.deepEqual([...curves].sort(), expected.sort());
  // Without the mask every pair has a link.
  assert.equal(new Set(strokes(links(weights, new Array(9).fill(0))).curves).size, 9);
});

test("the links of a silenced head fade below the paper, those of others do not", () => {
  const after = (silenced) =>
    strokes(links([1, 0, 0.5, 0.5], [0, MASKED, 0, 0], silenced)).curves.indexOf("paper");
  const part = { path: "decoder.0.self_attn.head.0.context", row: null, unheard: [0] };
  assert.equal(after([part]), 3);
  assert.equal(after([{ ...part, path: "decoder.0.self_attn.out" }]), 3);
  const others = [
    { ...part, row: 1 },
    { ...part, path: "decoder.0.self_attn.head.1.context", unheard: [1] },
    { ...part, path: "decoder.0.cross_attn.head.0.context" },
  ];
  assert.equal(after(others), -1);
});

test("without emphasis, links have their head's color", () => {
  const { colors } = strokes(links([1, 0, 0.5, 0.5], [0, MASKED, 0, 0]));
  assert.ok(colors.includes("own"));
  assert.ok(!colors.includes("gray"));
});

test("emphasized links are drawn in their head's color over the others, which fade", () => {
  const drawn = links([1, 0, 0.5, 0.5], [0, MASKED, 0, 0], [], [0.2, 0.2, 0.2, 1]);
  const { colors, curves, ends } = strokes(drawn);
  assert.deepEqual(colors.slice(-4), ["gray", "gray", "gray", "own"]);
  assert.deepEqual(curves.slice(-2), ["paper", ends(1, 1)]);
});

test("the head with the strongest link is drawn above the others", () => {
  const values = Float32Array.of(1, 0, 0.5, 0.5);
  const strengths = [Float32Array.of(0.2, 0.2, 0.2, 1), Float32Array.of(0.4, 0.2, 0.4, 0.4)];
  const of = { strengthsOf: (head) => strengths[head], partedOf: [], byColor: [] };
  const drawing = { step: 1, layers: [0, 1].map((head) => ({ values, head, shift: 0 })) };
  const { colored } = LaneLinks.prototype.emphasized.call(of, drawing) ?? {};
  assert.deepEqual(
    colored?.layers.map(({ head }) => head),
    [1, 0],
  );
});

test("where changes are shown, a link has the color of its change's sign", () => {
  const drawn = links([1, 0, 0.2, 0.8], [0, MASKED, 0, 0], [], null, "change");
  assert.ok(!strokes(drawn).colors.includes("blue"), "there is nothing to compare with");
  drawn.matrices[0].baseline = Float32Array.from([1, 0, 0.5, 0.5]);
  const { colors, curves, ends } = strokes(drawn);
  assert.deepEqual(colors, ["red", "blue"]);
  assert.deepEqual(curves, ["paper", ends(1, 0), ends(1, 1)]);
});

Object.assign(document, {
  createElement: () => {
    const canvas = { setAttribute() {}, append() {} };
    const context = {
      ...{ canvas, clearRect() {}, putImageData() {}, drawImage() {} },
      createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
    };
    return Object.assign(canvas, { getContext: () => context });
  },
});
const CTX = { save() {}, restore() {}, translate() {}, scale() {}, drawImage() {} };
const THEME = { headColor: () => "", headRgb: [[1, 2, 3]] };

/** A drawing of the links of one head. */
const drawingOf = (rows, cols, values, more) => ({
  ...{ rows, cols, step: 5, which: "all", shown: () => true },
  layers: [{ values: Float32Array.from(values), head: 0, shift: 0 }],
  ...more,
});

test("the image of many links is the sum of what they cover", () => {
  const [rows, cols, step] = [9, 7, 5];
  const values = Float32Array.from({ length: rows * cols }, (_, k) => ((k * 37) % 19) / 100);
  const drawing = drawingOf(rows, cols, values, {
    ...{ a: 60, b: 0, height: 100, shown: (i) => i !== 4 },
    ...{ yFrom: (i) => 40 + i * step, yTo: (j) => 3 + j * step },
  });
  drawing.layers[0].shift = 0.5;
  const crowd = new LinkCrowd();
  assert.ok(crowd.paint(CTX, drawing, THEME, 0.15, () => true));
  // Compute the sum column by column; the image has 8 lines per step, which is finer than px.
  const fine = 8 / step;
  const top = Math.min(40, 3) + 0.5 - step;
  const across = 60 / crowd.width;
  const expected = new Float64Array(crowd.sums.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) {
      const weight = values[i * cols + j];
      if (weight < 0.005 || weight >= 0.15 || i === 4) continue;
      const ink = strengthInCrowd(weight) * thickness(weight, step) * fine;
      const [from, to] = [40 + i * step, 3 + j * step].map((y) => (y + 0.5 - top) * fine);
      for (let x = 0; x < crowd.width; x++) {
        const at = (share) => from + (to - from) * ease(share / crowd.width);
        const lean = Math.abs(at(x + 1) - at(x));
        const box = Math.max(1, lean);
        const share = Math.sqrt(1 + (lean / (fine * across)) ** 2) / box;
        const [low, high] = [at(x + 0.5) - box / 2, at(x + 0.5) + box / 2];
        for (let y = Math.floor(low); y < high; y++)
          expected[y * crowd.width + x] += ink * share * (Math.min(high, y + 1) - Math.max(low, y));
      }
    }
  assert.ok(expected.some((ink) => ink > 0.2));
  const off = crowd.sums.reduce((most, ink, p) => Math.max(most, Math.abs(ink - expected[p])), 0);
  assert.ok(off < 0.02, `off by ${off}`);
});

test("many links are drawn again only for other weights, and only if there is time", () => {
  const of = { a: 0, b: 40, height: 20, yFrom: (i) => i * 5, yTo: (j) => j * 5 };
  const drawing = drawingOf(2, 2, Array(4).fill(0.1), of);
  const crowd = new LinkCrowd();
  const draw = mock.method(crowd, "draw");
  const paint = (of, mayDraw) => crowd.paint(CTX, of, THEME, 0.2, () => mayDraw);
  assert.equal(paint(drawing, false), false);
  assert.equal(paint(drawing, true), true);
  const moved = { ...drawing, a: 7, b: 48, yFrom: (i) => 9 + i * 5.1, yTo: (j) => 9 + j * 5.1 };
  assert.equal(paint(moved, false), true); // a small camera move only repositions the image
  const other = { ...moved, layers: drawingOf(2, 2, drawing.layers[0].values).layers };
  assert.equal(paint(other, false), false);
  assert.equal(paint(other, true), true);
  assert.equal(paint({ ...other, which: "from 1" }, false), false);
  assert.equal(paint({ ...other, which: "from 1" }, false), false);
  assert.equal(draw.mock.callCount(), 2);
  // When zoomed in, the image is enlarged until there is time to draw it again.
  const near = { ...other, a: 0, b: 400, yFrom: (i) => i * 50, yTo: (j) => j * 50 };
  const ask = mock.fn((isSharper) => !isSharper);
  crowd.paint(CTX, near, THEME, 0.2, ask);
  assert.deepEqual(
    ask.mock.calls.map((each) => each.arguments),
    [[true]],
  );
  assert.equal(draw.mock.callCount(), 2);
  assert.equal(paint(near, true), true);
  assert.equal(draw.mock.callCount(), 3);
});

test("of thousands of emphasized links only the strongest of all heads stay emphasized", () => {
  const count = 2000;
  const weights = [0, 1].map((n) => Float32Array.from({ length: count }, (_, k) => (k + n) / 4000));
  const strengths = weights.map((own) => own.map(() => 1));
  thinOut(weights, strengths);
  const left = strengths.map((own) => own.filter((strength) => strength > 0).length);
  assert.ok(left[0] + left[1] > 50 && left[0] + left[1] <= 160, `${left}`);
  assert.equal(strengths[0][count - 1], 1);
  assert.equal(strengths[1][0], 0);
  const few = [Float32Array.from([0.01, 0.02])];
  const kept = [Float32Array.from([1, 0.5])];
  thinOut(few, kept);
  assert.deepEqual([...kept[0]], [1, 0.5]);
});

/** Two links of one query whose far ends are steep, and a number of px apart. */
function steep(weights, strengths) {
  const of = { step: 18, a: 0, b: -100, height: 400, yFrom: () => 400, yTo: (j) => j * 18 };
  const drawing = drawingOf(1, 2, weights, of);
  Object.assign(drawing.layers[0], { strengths });
  return drawing;
}

test("beside a steep link, the pointer hits this link, not a thin one below", () => {
  const curves = new LinkCurves();
  const drawing = steep([0.01, 0.99], undefined);
  const middle = 400 + (18 - 400) * 0.5; // halfway
  for (const x of [-46, -50, -54]) assert.equal(curves.at(drawing, x, middle)?.j, 1, `at ${x}`);
  assert.equal(curves.at(drawing, -70, middle), null);
});

test("of several links at the pointer, an emphasized one is hit, then the thickest", () => {
  const curves = new LinkCurves();
  const at = (weights, strengths) => curves.at(steep(weights, strengths), -50, 200)?.j;
  assert.equal(at([0.3, 0.6], undefined), 1);
  assert.equal(at([0.6, 0.3], undefined), 0);
  assert.equal(at([0.5, 0.5], [1, 0.35]), 0);
  assert.equal(at([0.5, 0.5], [0.35, 1]), 1);
});

test("links of few heads are side by side, and those of many heads stay near their word", () => {
  for (const step of [6, 15, 27]) {
    const apart = (count) => shiftOf(1, count, step) - shiftOf(0, count, step);
    assert.ok(apart(2) >= Math.min(thickness(1, step), 0.4 * step));
    for (const count of [1, 2, 8]) assert.ok(apart(count) * (count - 1) < step);
  }
  assert.equal(shiftOf(1, 2, 27) - shiftOf(0, 2, 27), thickness(1, 27));
});

test("a picture of links that is saved has the links of the page", () => {
  const labels = ["x0", "x1"];
  const described = entry("a", 2, 2, { row_labels: labels, col_labels: labels });
  const [path, text, reach] = [mock.fn(), mock.fn(), mock.fn()];
  const weights = [MIN_WEIGHT, MIN_WEIGHT - 0.0005, 0.9, 0];
  drawLinks({ theme: {}, path, text, reach }, [{ entry: described, weights }], 0, 0);
  assert.equal(path.mock.callCount(), 2);
});
