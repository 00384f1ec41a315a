import assert from "node:assert/strict";
import { test } from "node:test";
import {
  between,
  boxIn,
  centered,
  fit,
  fitAcross,
  panned,
  scales,
  tallOf,
  wideOf,
  within,
  zoomed,
} from "../../app/board/picture/camera.js";
import { NO_FOLDS } from "../../app/board/picture/folds.js";
import { nearPart } from "../../app/board/picture/part_camera.js";
import { partName, planOf } from "../../app/board/picture/plan.js";
import * as builders from "./builders.js";

/** The manifest of a model of this size. */
function model(how = {}) {
  const { layers = 1, heads = 2, source = 7, target = 9, d = 8, vocab = 33, lens, room = 0 } = how;
  const [matrices, parts] = [[], []];
  const add = (rows, cols) => matrices.push({ rows, cols, tex: "M" }) - 1;
  const counts = { encoder: source, decoder: target };
  const strip = (stack, cols, under = []) => ({
    ...builders.strip(add(counts[stack], cols), stack),
    ...{ under, lens: Boolean(lens) && stack === "decoder" },
  });
  const links = (stack, keys) =>
    builders.links(
      Array.from({ length: heads }, () => add(counts[stack], counts[keys])),
      stack,
      keys,
    );
  const weights = () => [
    { tex: "Q", tiles: Array.from({ length: heads }, () => add(d, d / heads)) },
    { tex: "O", tiles: [add(d, d)] },
    { tex: "b", tiles: [add(1, d)] },
  ];
  const part = (stack, kind, items, tiles = []) =>
    parts.push({
      ...builders.part(`${stack} ${parts.length}`, kind, stack, items),
      ...{ tiles, weights: 0, adds: kind === "input" ? "" : "x is added" },
      ...{ unfolds: true, unfolded: false },
    });
  for (const stack of ["encoder", "decoder"]) {
    const table = { tex: "W", tiles: [add(vocab, d)] };
    part(stack, "input", [strip(stack, d), strip(stack, d)], [table]);
    for (let n = 0; n < layers; n++) {
      const under = [add(1, d), add(1, d)];
      part(stack, "attention", [links(stack, stack), strip(stack, d, under)], weights());
      if (stack === "decoder")
        part(stack, "cross", [links(stack, "encoder"), strip(stack, d)], weights());
      part(stack, "feed_forward", [strip(stack, 2 * d), strip(stack, d)], weights());
    }
  }
  part("decoder", "output", [strip("decoder", vocab)]);
  const stacks = Object.entries(counts).map(([stack, count]) => {
    const words = Array.from({ length: count }, (_, k) => `w${k}`);
    const right = stack === "decoder" ? words : [];
    return { stack, title: stack, words, names: words, right, room: Math.max(room, count) };
  });
  return planOf({ stacks, parts }, (index) => matrices[index]);
}

const MODELS = [
  {},
  { layers: 6, heads: 8, d: 64, source: 64, target: 64 },
  { layers: 3, heads: 4, d: 16, source: 1, target: 1, vocab: 5 },
  { heads: 1, d: 4, source: 12, target: 2, vocab: 300 },
];

test("a picture with space for more rows has the same layout as one with these rows", () => {
  const [long, short] = [model(), model({ source: 2, target: 3, room: 9 })];
  const full = model({ room: 9 });
  for (const key of ["width", "height", "secondary"]) assert.deepEqual(short[key], full[key]);
  const ofTiles = ({ matrices }) =>
    matrices.filter(({ kind }) => kind === "tile").map(({ x, y }) => [x, y]);
  assert.deepEqual(ofTiles(short), ofTiles(full));
  assert.deepEqual(
    short.labels.map(({ text, x, y }) => [text, x, y]),
    full.labels.map(({ text, x, y }) => [text, x, y]),
  );
  assert.ok(full.height > long.height);
});

test("below the strips of an unfolded attention, its columns have space for their tokens", () => {
  const matrices = [
    { rows: 9, cols: 8, tex: "Q", path: "q" },
    { rows: 9, cols: 7, tex: "A", path: "a.weights", ofWords: true },
    { rows: 4, cols: 4, tex: "W" },
  ];
  const items = [0, 1].map((index) => builders.strip(index, "s"));
  const plan = (unfolded) => {
    const words = Array.from({ length: 9 }, (_, k) => `w${k}`);
    const stacks = [{ stack: "s", title: "S", words, names: words, right: [], room: 9 }];
    const part = builders.part("a", "attention", "s", items, [2]);
    const parts = [{ ...part, unfolded, unfolds: true }];
    const entry = { stacks, parts };
    return planOf(entry, (index) => matrices[index]).matrices;
  };
  const [[q, weights, tile], folded] = [plan(true), plan(false)];
  assert.equal(q.names, 0);
  assert.ok(weights.names > 30 && tile.y >= weights.y + 9 * weights.height + weights.names);
  assert.ok(weights.cell > folded[1].cell && folded[1].names === 0);
  assert.equal(q.cell, folded[0].cell);
});

const boxOf = ({ x, y, cell, height, rows, cols }) => ({
  x,
  y,
  right: x + cell * cols,
  bottom: y + height * rows,
});
const overlap = (a, b) =>
  a.x < b.right - 1e-6 && b.x < a.right - 1e-6 && a.y < b.bottom - 1e-6 && b.y < a.bottom - 1e-6;

for (const [k, how] of MODELS.entries()) {
  const plan = model(how);

  test(`no matrix of model ${k} is over another, over links, or outside`, () => {
    const boxes = [
      ...plan.matrices.map(boxOf),
      ...plan.links.map(({ left, right, box }) => ({
        x: left,
        y: box.y,
        right,
        bottom: box.y + box.height,
      })),
    ];
    boxes.forEach((a, i) => {
      assert.ok(a.x >= 0 && a.y >= 0 && a.right <= plan.width && a.bottom <= plan.height + 1e-6);
      for (const b of boxes.slice(i + 1)) assert.ok(!overlap(a, b), JSON.stringify([a, b]));
    });
  });

  test(`attention of model ${k} reaches from the keys' lanes to the queries'`, () => {
    for (const { item, left, right, box } of plan.links) {
      assert.ok(left < right);
      for (const stack of [item.stack, item.keys]) {
        const { top, count } = plan.lanes.get(stack);
        assert.ok(box.y <= top && box.y + box.height >= top + 22 * count - 3);
      }
      // Parts that read the encoder's words are to the right of its end.
      if (item.stack !== item.keys) assert.ok(left > plan.lanes.get(item.keys).right);
    }
  });

  test(`residual connections of model ${k} connect the strip before with the one after`, () => {
    for (const { from, to } of plan.arcs) assert.ok(from < to);
    assert.equal(plan.arcs.length, plan.parts.filter(({ entry }) => entry.adds).length);
  });
}

test("many columns are narrower, and together wider", () => {
  const { matrices } = model({ vocab: 300 });
  const widths = matrices
    .filter(({ kind }) => kind === "strip")
    .map(({ cell, cols }) => [cols, cell, cell * cols]);
  widths.sort((a, b) => a[0] - b[0]);
  for (let k = 1; k < widths.length; k++) {
    assert.ok(widths[k][1] <= widths[k - 1][1]);
    assert.ok(widths[k][2] >= widths[k - 1][2] - 1e-9);
  }
});

const VIEW = { width: 1100, height: 680 };
const LIMITS = { tall: 0.9, deep: 6, wide: 1, most: 40, folds: NO_FOLDS };
/** The place of a point of the picture in the view. */
const seen = (camera, x, y) => {
  const { across, down } = scales(camera);
  return [(x - camera.x) * across, (y - camera.y) * down];
};
const near = (a, b) => {
  for (const [k, v] of a.entries()) assert.ok(Math.abs(v - b[k]) < 1e-6, `${a} is not ${b}`);
};

test("the fitted picture is in the middle, and all of it is in the view", () => {
  for (const [width, height] of [
    [1300, 700],
    [4000, 500],
    [200, 650],
  ]) {
    const limits = { ...LIMITS, tall: tallOf(height, VIEW) };
    const camera = fit({ x: 0, y: 0, width, height }, VIEW, limits);
    near(seen(camera, width / 2, height / 2), [550, 340]);
    const [left, top] = seen(camera, 0, 0);
    const [right, bottom] = seen(camera, width, height);
    assert.ok(left >= 0 && top >= 0 && right <= 1100 && bottom <= 680);
  }
});

test("a wide picture fills the height", () => {
  const limits = { ...LIMITS, tall: tallOf(700, VIEW) };
  const camera = fit({ x: 0, y: 0, width: 9000, height: 700 }, VIEW, limits);
  assert.ok(seen(camera, 0, 700)[1] - seen(camera, 0, 0)[1] > 0.9 * VIEW.height);
});

test("a picture that would leave the sides of the view empty is stretched, to a limit", () => {
  const picture = { x: 0, y: 0, width: 1000, height: 700 };
  for (const [view, wide] of [
    [{ width: 1200, height: 680 }, 1200 / 1000],
    [{ width: 2000, height: 680 }, 1.35],
    [{ width: 1200, height: 230 }, null],
    [{ width: 800, height: 900 }, 1],
  ]) {
    const limits = { ...LIMITS, tall: tallOf(700, view), wide: wideOf(picture, view) };
    if (wide !== null) assert.ok(Math.abs(limits.wide - wide) < 0.1, `${limits.wide}`);
    const camera = fit(picture, view, limits);
    const [left, top] = seen(camera, 0, 0);
    const [right, bottom] = seen(camera, 1000, 700);
    assert.ok(left >= 0 && top >= 0 && right <= view.width && bottom <= view.height);
    if (wide === null) assert.ok(right - left > 900, "a low view is filled across");
  }
});

test("a zoom keeps the place under the pointer", () => {
  let camera = centered({ x: 500, y: 300 }, 0.7, VIEW, LIMITS);
  for (const factor of [1.3, 4, 9, 0.2, 0.05, 2]) {
    const [x, y] = [camera.x + 321 / scales(camera).across, camera.y + 123 / scales(camera).down];
    camera = zoomed(camera, factor, 321, 123, 0.5);
    near(seen(camera, x, y), [321, 123]);
    assert.ok(camera.zoom >= 0.25 && camera.zoom <= 40);
  }
});

test("when zoomed in farther than numbers need, lanes hardly grow", () => {
  const far = scales(centered({ x: 0, y: 0 }, 6, VIEW, LIMITS));
  const close = scales(centered({ x: 0, y: 0 }, 36, VIEW, LIMITS));
  assert.equal(close.across, 6 * far.across);
  assert.ok(close.down < 1.4 * far.down && close.down > far.down);
});

test("a drag moves the picture with the pointer, and never completely out of the view", () => {
  const camera = centered({ x: 500, y: 300 }, 1.5, VIEW, LIMITS);
  near(seen(panned(camera, 40, -25), 500, 300), [590, 315]);
  const size = { width: 1300, height: 700 };
  for (const [dx, dy] of [
    [1e5, 0],
    [-1e5, 1e5],
    [0, -1e5],
  ]) {
    const kept = within(panned(camera, dx, dy), size, VIEW);
    const [left, top] = seen(kept, 0, 0);
    const [right, bottom] = seen(kept, 1300, 700);
    assert.ok(left < 1100 && top < 680 && right > 0 && bottom > 0);
  }
});

test("a flight starts and ends at the given cameras, and is straight", () => {
  const from = fit({ x: 0, y: 0, width: 1300, height: 700 }, VIEW, LIMITS);
  const to = centered({ x: 900, y: 150 }, 12, VIEW, LIMITS);
  near(seen(between(from, to, 0, VIEW), 650, 350), [550, 340]);
  assert.deepEqual(between(from, to, 1, VIEW), to);
  let last = Infinity;
  for (let share = 0; share <= 1; share += 0.1) {
    const [x] = seen(between(from, to, share, VIEW), 900, 150);
    const away = Math.abs(x - 550);
    assert.ok(away <= last + 1e-6 || share < 0.5);
    last = away;
  }
});

test("words beside a strip have space of their own, without other elements", () => {
  assert.equal(model().lens.length, 0);
  const { lens, matrices, links } = model({ lens: true });
  const strips = matrices.filter(({ stack }) => stack === "decoder");
  assert.deepEqual(
    lens.map(({ index }) => index),
    strips.map(({ index }) => index),
  );
  for (const { index, x, room } of lens) {
    const own = matrices.find((placed) => placed.index === index);
    assert.ok(x >= own.x + own.cols * own.cell);
    for (const other of strips)
      assert.ok(other.x >= x + room || other.x + other.cols * other.cell <= x);
    for (const { item, left, right } of links)
      assert.ok(item.stack !== "decoder" || left >= x + room || right <= x);
  }
});

test("a part has the number of its layer only if its stack has several", () => {
  assert.equal(partName({ title: "self-attention", layer: 2 }), "self-attention 2");
  assert.equal(partName({ title: "self-attention", layer: null }), "self-attention");
});

const ROWS = { height: 240, cell: 9, at: null };
/** The place of an unfolded part in a view of a height, when zoomed in on the part. */
const nearIn = (height, part, picture, tall) => {
  const limits = { tall, deep: 8, wide: 1, most: 20, folds: NO_FOLDS };
  return boxIn(part, fitAcross(part, picture, { width: 1200, height }, limits, 80, ROWS));
};
const isWhole = ({ y, height }, view) => y >= 0 && y + height <= view;

test("when zoomed in on an unfolded part, its weights are visible if they fit", () => {
  const part = { x: 100, y: 0, width: 500, height: 360 };
  const near = (height) => nearIn(height, part, { width: 900, height: 360 }, 0.5);
  assert.ok(isWhole(near(660), 660));
  assert.ok(!isWhole(near(400), 400), "it would be much smaller");
});

test("the weights of an unfolded part are whole or out of the view, even in low rows", () => {
  const part = { x: 100, y: 24, width: 1500, height: 360 };
  const near = (height) => nearIn(height, part, { width: 1700, height: 384 }, 1);
  assert.ok(isWhole(near(366), 366));
  const cut = near(320);
  assert.ok(cut.y >= 0 && Math.abs(cut.y + ROWS.height - 320) < 5, `${cut.y}`);
});

test("an unfolded part of a lesson is whole, however small it becomes", () => {
  const part = { x: 100, y: 0, width: 500, height: 360 };
  const limits = { tall: 0.5, deep: 8, wide: 1, most: 20, folds: NO_FOLDS };
  for (const height of [660, 400, 252]) {
    const view = { width: 1200, height };
    const picture = { width: 900, height: 360 };
    const camera = fitAcross(part, picture, view, limits, 80, { ...ROWS, isWhole: true });
    assert.ok(isWhole(boxIn(part, camera), height), `${height}`);
  }
});

test("when zoomed in on a folded part, its weights are visible if they fit", () => {
  const folds = { gaps: [{ from: 240, to: 360 }], opens: 1.2 };
  const limits = { tall: 0.5, deep: 8, wide: 1, most: 20, folds };
  const lanes = { y: 0, height: 240 };
  const part = { x: 100, y: 0, width: 200, height: 360, entry: { id: "a" }, lanes };
  const near = (height) =>
    boxIn(part, nearPart(part, { matrices: [] }, { width: 1200, height }, limits));
  assert.ok(isWhole(near(660), 660));
  assert.ok(!isWhole(near(400), 400), "its weights would be left out again");
});
