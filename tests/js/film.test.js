import assert from "node:assert/strict";
import { test } from "node:test";
import { cameraOf, framed } from "../../app/board/film/camera_targets.js";
import { beamsOf, FilmHighlight, typedBy } from "../../app/board/focus/film_highlight.js";
import { boxIn } from "../../app/board/picture/camera.js";
import { NO_FOLDS } from "../../app/board/picture/folds.js";
import { Clock } from "../../app/features/film/clock.js";

const column = (part, stack, keys, ...matrices) => ({ part, stack, keys, matrices });
const COLUMNS = [
  column("source", "encoder", null, 0),
  column("self", "encoder", "encoder", 1, 2),
  column("self", "encoder", null, 3),
  column("cross", "decoder", "encoder", 4),
  column("cross", "decoder", null, 5),
];
const SCENES = [
  { parts: [], lane: null, seconds: 2, swing: null },
  { parts: ["source"], lane: ["encoder", 1], seconds: 4, swing: null },
  { parts: ["self"], lane: ["encoder", 1], seconds: 4, swing: null },
  { parts: [], lane: ["decoder", 0], seconds: 4, swing: ["source", 1, 0] },
];
const matrix = (index, rows, cols, values) => ({
  ...{ index, rows, cols, cells: rows * cols, entry: {} },
  values: Float32Array.from(values ?? Array(rows * cols).fill(1)),
});
const STRIP = matrix(0, 2, 4);
const LINKS = matrix(1, 2, 2, [1, 0, 0.25, 0.75]);
const light = () => new FilmHighlight(SCENES, COLUMNS, () => [0.25, 0.75]);
const row = (strengths, i, cols) => [...strengths.subarray(i * cols, (i + 1) * cols)];

test("the light of a scene passes its parts in the order of computation", () => {
  const beams = beamsOf(SCENES[2], COLUMNS);
  assert.deepEqual(
    beams.map(({ column, keys }) => [column.matrices, keys?.matrices ?? null]),
    [
      [[1, 2], [0]],
      [[3], null],
    ],
  );
  assert.ok(beams[0].end <= beams[1].begin + 1e-9 && beams[1].end < 1);
  assert.deepEqual(beamsOf(SCENES[0], COLUMNS), []);
});

test("a scene lights one row, cell by cell, and the other rows are dark", () => {
  const film = light();
  film.move(1, 0.4);
  const early = film.over(STRIP, () => null);
  const cells = row(early, 1, 4);
  assert.ok(cells[0] > cells[1] && cells[1] > cells[3], `${cells}`);
  film.move(1, 1);
  const late = film.over(STRIP, () => null);
  assert.deepEqual(row(late, 1, 4), [1, 1, 1, 1]);
  assert.ok(row(late, 0, 4).every((x) => x < 0.2));
});

test("links grow by their weights, and lit rows keep half the strength", () => {
  const film = light();
  film.move(2, 0);
  assert.equal(film.grown("self"), 0);
  film.move(2, 1);
  assert.equal(film.grown("self"), 1);
  assert.equal(film.grown("cross"), 1, "no link of this scene");
  const [first, second, weak, strong] = film.over(LINKS, () => null);
  assert.ok(strong > weak && weak > first && first === second);
  const keys = film.over(STRIP, () => null);
  assert.equal(keys[0].toFixed(2), (0.25 / 0.35).toFixed(2), "what is listened to, by its weight");
  assert.equal(keys[4], 1);
});

test("moving in either direction gives the same light", () => {
  const [one, other] = [light(), light()];
  for (const share of [0, 0.3, 0.6]) one.move(2, share);
  other.move(3, 1);
  other.move(2, 0.6);
  assert.deepEqual(
    one.over(STRIP, () => null),
    other.over(STRIP, () => null),
  );
});

test("during an oscillation, moved numbers keep their strength", () => {
  const film = light();
  const own = new Float32Array(8).fill(0.7);
  film.move(3, 1);
  assert.deepEqual(
    film.over(STRIP, () => own),
    own,
  );
  film.move(1, 1);
  assert.notDeepEqual(
    film.over(STRIP, () => own),
    own,
  );
});

test("the clock runs while it plays, waits, and stops at the end", () => {
  const clock = new Clock();
  clock.length = 1;
  clock.tick(0);
  clock.play();
  for (const now of [0, 50, 100]) clock.tick(now);
  assert.equal(clock.seconds.toFixed(3), "0.100");
  clock.tick(150, true);
  assert.equal(clock.seconds.toFixed(3), "0.100", "it waits");
  clock.tick(5000);
  assert.equal(clock.seconds.toFixed(3), "0.200", "a hidden tab is no jump");
  clock.speed = 2;
  clock.tick(5050);
  assert.equal(clock.seconds.toFixed(3), "0.300");
  clock.goTo(7);
  assert.ok(clock.isOver);
  clock.play();
  assert.equal(clock.seconds, 0, "again from the beginning");
});

const PLAN = {
  lanes: new Map([["encoder", { stack: "encoder", top: 80, left: 24, right: 400, count: 7 }]]),
  parts: [
    { entry: { id: "source" }, lanes: { x: 24, y: 80, width: 200, height: 154 } },
    { entry: { id: "cross" }, lanes: { x: 300, y: 380, width: 100, height: 154 } },
  ],
  links: [{ part: "cross", box: { x: 300, y: 76, width: 100, height: 460 } }],
};

const SCENE = { camera: "parts", parts: ["cross"], lane: ["decoder", 1], writes: false };
const SOURCE = { ...SCENE, parts: ["source"], lane: ["encoder", 1] };

test("the camera frames the parts of a scene with their links, or one row, or all", () => {
  assert.deepEqual(framed(SCENE, PLAN), { x: 300, y: 76, width: 100, height: 460 });
  const row = framed({ ...SOURCE, camera: "row" }, PLAN);
  assert.deepEqual([row.x, row.width], [24, 200]);
  assert.ok(row.y < 102 && row.y + row.height > 124 && row.height < 154, "the second lane");
  assert.equal(framed({ ...SCENE, camera: "all" }, PLAN), null);
});

test("all parts of a scene are in the view, even if unfolded they do not fit", () => {
  const gaps = [{ from: 240, to: 340 }];
  const limits = { tall: 1.2, deep: 8, wide: 1, most: 20, folds: { gaps, opens: 1.2 } };
  const view = { width: 1440, height: 620 };
  const camera = cameraOf(SCENE, PLAN, view, limits, { x: 0, y: 0, zoom: 1, ...limits });
  const { y, height } = boxIn(PLAN.links[0].box, camera);
  assert.ok(y >= 90 && y + height <= view.height, `${y} ${height}`);
});

test("in a low view, no other stack is visible", () => {
  const limits = { tall: 0.1, deep: 1.2, wide: 1, most: 20, folds: NO_FOLDS };
  const [encoder, decoder] = [150, 380].map((top) => ({ top, left: 24, right: 400, count: 7 }));
  const plan = { ...PLAN, links: [], lanes: new Map(Object.entries({ encoder, decoder })) };
  const view = { width: 420, height: 500 };
  const camera = cameraOf(SCENE, plan, view, limits, { x: 0, y: 0, zoom: 1 });
  const rows = ({ top, count }) => boxIn({ x: 0, y: top, width: 1, height: count * 22 }, camera);
  const [above, own] = [...plan.lanes.values()].map(rows);
  assert.ok(above.y + above.height <= 1 && own.y > 90, `${above.y} ${above.height} ${own.y}`);
  assert.ok(own.y + own.height <= view.height);
});

test("beside its rows, a scene has space for the words that it compares", () => {
  const limits = { tall: 0.1, deep: 3, wide: 1, most: 20, folds: NO_FOLDS };
  const view = { width: 1200, height: 600 };
  const right = (writes) => {
    const { x, zoom } = cameraOf({ ...SOURCE, writes }, PLAN, view, limits, {
      x: 0,
      y: 0,
      zoom: 1,
    });
    return view.width - (224 - x) * zoom;
  };
  assert.ok(right(true) > 300 && right(false) < right(true));
});

test("rows of words that are not written yet are empty", () => {
  const lane = ["decoder", 1];
  const scenes = [["cross"], []].map((parts) => ({ ...SCENES[1], parts, lane, writes: true }));
  const strip = matrix(5, 4, 3);
  const film = new FilmHighlight(scenes, COLUMNS, () => [1, 0, 0, 0], "decoder");
  for (const share of [0, 0.5, 1]) {
    film.move(0, share);
    const found = film.over(strip, () => null);
    for (const i of [2, 3]) assert.deepEqual(row(found, i, 3), [0, 0, 0], `row ${i} at ${share}`);
    assert.ok(row(found, 0, 3).every((x) => x > 0));
    // The rows of the words that are read are all there.
    assert.ok(film.over(STRIP, () => null).every((x) => x > 0));
  }
  film.move(1, 1); // the film has typed no later word
  const end = film.over(strip, () => null);
  assert.deepEqual(row(end, 2, 3), [0, 0, 0]);
});

test("a film shows only the words before the one that it types next, from its beginning", () => {
  const scene = (stack, index, writes, parts = ["part"]) => ({
    writes,
    parts,
    lane: [stack, index],
  });
  const scenes = [
    scene("decoder", 2, false, []),
    scene("encoder", 1, false),
    scene("decoder", 2, true),
    scene("decoder", 2, true, []),
  ];
  const shares = scenes.map((_, at) => typedBy(scenes, at, 0.5, "decoder")?.share);
  assert.deepEqual(shares, [0, 0, 0, 1]);
  const typed = typedBy(scenes, 2, 0.95, "decoder");
  assert.deepEqual(typed, { lane: { stack: "decoder", index: 2 }, share: 1 });
  assert.equal(typedBy(scenes.slice(0, 2), 0, 0, "decoder"), null);
});
