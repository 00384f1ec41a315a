import assert from "node:assert/strict";
import { test } from "node:test";
import { coveredBy, isOver, wider } from "../../app/board/labels/boxes.js";
import { Claims } from "../../app/board/labels/claims.js";
import { placeNear } from "../../app/board/labels/near.js";
import { place } from "../../app/board/labels/place.js";
import { random } from "./builders.js";

const VIEW = { width: 800, height: 500 };

/** @param {number} most px */
const boxBy = (next, most) => ({
  ...{ x: next() * VIEW.width, y: next() * VIEW.height },
  ...{ width: 5 + next() * most, height: 5 + next() * (most / 3) },
});

const labelsBy = (next, count) =>
  Array.from({ length: count }, (_, k) => ({
    ...{ key: `${k}`, priority: Math.floor(next() * 4) },
    places: Array.from({ length: 1 + Math.floor(next() * 4) }, () => boxBy(next, 90)),
  }));

test("placed labels cover no obstacle and no other label", () => {
  let count = 0;
  for (let seed = 0; seed < 200; seed++) {
    const next = random(seed);
    const obstacles = Array.from({ length: 12 }, () => boxBy(next, 150));
    const labels = labelsBy(next, 30);
    const placed = place(labels, obstacles);
    const boxes = labels.flatMap(({ key, places }) => {
      const at = placed.get(key);
      return at === undefined ? [] : [places[at]];
    });
    count += boxes.length;
    boxes.forEach((box, k) => {
      assert.ok(![...obstacles, ...boxes.slice(k + 1)].some((other) => isOver(box, other)));
    });
    // A label is omitted only if each of its places is taken.
    for (const { key, places } of labels)
      if (!placed.has(key))
        assert.ok(places.every((box) => [...obstacles, ...boxes].some((b) => isOver(box, b))));
  }
  assert.ok(count > 2000);
});

test("a label keeps its place while the place is free, and has the best one at first", () => {
  const places = [0, 100, 200].map((x) => ({ x, y: 0, width: 50, height: 10 }));
  const label = { key: "a", places, priority: 0 };
  assert.equal(place([label], []).get("a"), 0);
  const moved = place([label], [places[0]]);
  assert.equal(moved.get("a"), 1);
  assert.equal(place([label], [], moved).get("a"), 1, "the first place is free again");
  assert.equal(place([label], [places[1]], moved).get("a"), 0);
  assert.equal(place([label], places).get("a"), undefined);
});

test("a label takes a better form as soon as the form has a free place", () => {
  const places = [0, 100, 200, 300].map((x) => ({ x, y: 0, width: 50, height: 10 }));
  const label = { key: "a", places, perForm: 2, priority: 0 };
  const before = new Map([["a", 3]]);
  assert.equal(place([label], places.slice(0, 2), before).get("a"), 3);
  assert.equal(place([label], [places[0]], before).get("a"), 1);
  const cut = { ...label, places: [null, ...places.slice(1)] };
  assert.equal(place([cut], [], new Map([["a", 0]])).get("a"), 1);
  assert.equal(place([cut], [], new Map([["a", 1]])).get("a"), 1);
});

test("a label of a higher priority is placed first, in any order", () => {
  const places = [{ x: 0, y: 0, width: 50, height: 10 }];
  const [low, high] = [1, 2].map((priority) => ({ key: `${priority}`, places, priority }));
  for (const labels of [
    [low, high],
    [high, low],
  ])
    assert.deepEqual([...place(labels, []).keys()], ["2"]);
});

test("labels of a group are shown together or not at all", () => {
  const at = (x) => ({ x, y: 0, width: 50, height: 10 });
  const labels = [0, 100, 200].map((x, k) => ({
    ...{ key: `${k}`, places: [at(x)], priority: 0, group: x < 200 ? "sum" : undefined },
  }));
  assert.equal(place(labels, []).size, 3);
  assert.deepEqual([...place(labels, [at(0)]).keys()], ["2"]);
});

test("a label that must be shown covers numbers rather than labels, and keeps its place", () => {
  const places = [0, 100].map((x) => ({ x, y: 0, width: 50, height: 50 }));
  const label = { key: "map", places, priority: 0, mayCover: true };
  const [half, most] = [places[0], places[1]].map((box, k) => ({ ...box, height: 30 + 15 * k }));
  assert.equal(place([label], [half, most]).get("map"), 0);
  assert.equal(place([label], [half, most], new Map([["map", 1]])).get("map"), 1);
  const small = { ...places[0], height: 5 };
  assert.equal(place([label], [places[1]], new Map(), [small]).get("map"), 1);
});

test("labels at the upper edge avoid only other labels", () => {
  const places = [{ x: 0, y: 0, width: 50, height: 10 }];
  const label = { key: "a", places, priority: 0 };
  assert.equal(place([{ ...label, avoids: "labels" }], places).size, 1);
  assert.equal(place([{ ...label, avoids: "labels" }], [], new Map(), places).size, 0);
  assert.equal(place([{ ...label, avoids: "nothing" }], places, new Map(), places).size, 1);
});

const SIZES = [
  { width: 160, height: 30 },
  { width: 90, height: 60, extra: 90 },
];

test("the label of a number covers nothing, and its line connects ring and label", () => {
  let count = 0;
  for (let seed = 0; seed < 60; seed++) {
    const next = random(seed);
    const obstacles = Array.from({ length: 25 }, () => boxBy(next, 120));
    const at = { x: 100 + next() * 600, y: 100 + next() * 300 };
    const found = placeNear(SIZES, { ringed: { at, radius: 9 } }, VIEW, obstacles);
    if (!found) continue;
    count++;
    const { box, way } = found;
    assert.equal(coveredBy(wider(box, 2), obstacles), 0);
    assert.ok(box.x >= 4 && box.x + box.width <= VIEW.width - 4);
    assert.ok(box.y >= 4 && box.y + box.height <= VIEW.height - 4);
    const [start, end] = [way[0], way[way.length - 1]];
    assert.ok(Math.hypot(start.x - at.x, start.y - at.y) < 9.01);
    assert.ok(isOver({ ...end, width: 0, height: 0 }, wider(box, 0.01)));
  }
  assert.ok(count > 30);
});

test("the label moves with its number while its place there is free", () => {
  const at = { x: 300, y: 250 };
  const first = placeNear(SIZES, { ringed: { at, radius: 9 } }, VIEW, []);
  assert.ok(first);
  const next = { x: 340, y: 230 };
  const before = { place: first, at };
  const moved = placeNear(SIZES, { ringed: { at: next, radius: 9 } }, VIEW, [], before);
  assert.deepEqual([moved?.box.x, moved?.box.y], [first.box.x + 40, first.box.y - 20]);
  const taken = moved ? [moved.box] : [];
  const other = placeNear(SIZES, { ringed: { at: next, radius: 9 } }, VIEW, taken, before);
  assert.ok(other && coveredBy(other.box, taken) === 0);
});

test("the label of a number becomes larger again when the space allows it", () => {
  const near = { ringed: { at: { x: 300, y: 250 }, radius: 9 } };
  const [, narrow] = SIZES;
  const box = { x: 320, y: 220, width: narrow.width, height: narrow.height };
  const before = { place: { box, way: [], size: narrow }, at: near.ringed.at };
  assert.equal(placeNear(SIZES, near, VIEW, [], before)?.size, SIZES[0]);
});

test("the label of a number without a free place is not shown", () => {
  const all = [{ x: 0, y: 0, ...VIEW }];
  const near = { ringed: { at: { x: 300, y: 250 }, radius: 9 } };
  assert.equal(placeNear(SIZES, near, VIEW, all), null);
});

test("the list of obstacles has those of others, and has a new version only if one changes", () => {
  const claims = new Claims();
  const box = { x: 1, y: 2, width: 3, height: 4 };
  claims.set("a", [box]);
  claims.set("b", [wider(box, 1)]);
  assert.deepEqual(claims.without("b"), [box]);
  const { version } = claims;
  claims.set("a", [{ ...box }]);
  assert.equal(claims.version, version);
  claims.set("a", []);
  assert.ok(claims.version > version);
  assert.deepEqual(claims.without("b"), []);
});
