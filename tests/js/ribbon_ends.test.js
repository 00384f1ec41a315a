import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../../app/board/labels/place.js";
import { LinkWords } from "../../app/board/picture/link_words.js";
import { RibbonEnds } from "../../app/board/picture/ribbon_ends.js";

const canvas = { getContext: () => ({ measureText: () => ({ width: 30 }) }) };
Object.assign(document, { createElement: () => canvas });

const WIDE = {
  a: 400,
  b: 0,
  rows: 2,
  cols: 2,
  yFrom: () => 200,
  yTo: (j) => 20 + 22 * j,
};
const links = {
  placed: { part: "cross", item: { keys: "encoder", stack: "decoder" } },
  matrices: [{ rows: 2, cols: 2 }],
  drawing: () => WIDE,
};

/** The labels of ribbons that end at given heights, with their largest weights. */
function ribbons(...all) {
  return labelsOf(all, true);
}

function labelsOf(all, hasRoom) {
  const ends = all.map(([y, most], j) => ({
    el: { hidden: false, style: {} },
    x: 4,
    ribbon: { pair: { links, i: 0, j, y }, most },
  }));
  const own = {
    ends,
    isWritten: true,
    write() {},
    keepStop() {},
    widthOf: () => 60,
    hasRoom: () => hasRoom,
  };
  return RibbonEnds.prototype.labels.call(own);
}

test("the ends of two ribbons in neighboring rows can both be read", () => {
  const places = (...all) => {
    const labels = ribbons(...all);
    const placed = place(labels, []);
    return labels.map(({ key, places }) => places[placed.get(key) ?? -1]?.y);
  };
  assert.deepEqual(places([20, 0.6], [40, 0.3]), [12.5, 32.5]);
  const [first, second] = places([20, 0.69], [30, 0.9]);
  assert.ok(second === 22.5 && first <= second - 15 && first >= 4);
  assert.deepEqual(places([20, 0.5], [22, 0.9], [24, 0.1]), [undefined, 14.5, undefined]);
});

test("a label that would cover its links is left out", () => {
  assert.deepEqual(labelsOf([[20, 0.6]], false)[0].places, []);
});

test("the words of an unfolded attention give way to a followed ribbon", () => {
  const words = (...all) => all.map((textContent) => ({ textContent }));
  const columns = [false, true].map((isAtEnd) => ({ links, isAtEnd, words: words("le", "chat") }));
  const sight = { view: { width: 900, height: 600 }, left: -1, top: 0 };
  const own = { columns, font: () => "12px a" };
  const labels = LinkWords.prototype.labels.call(own, sight);
  const placed = place([...labels, ...ribbons([42, 0.9])], []);
  assert.deepEqual(
    [...placed.keys()].sort(),
    ["link word 0 0", "link word 1 0", "ribbon cross 0 0"],
    "of words in one place the first",
  );
});

test("beside narrow links only the strongest weight has space, beside wide ones each", () => {
  const weights = [0.2, 0.7, 0.1].map((weight, head) => ({ head, weight, cell: {} }));
  const camera = { zoom: 1, tall: 1, deep: 1, wide: 1 };
  const ends = { viewpoint: { camera } };
  const shown = (right) =>
    RibbonEnds.prototype.shownOf.call(ends, weights, { left: 0, right }).map(({ head }) => head);
  assert.deepEqual([shown(40), shown(90), shown(400)], [[1], [0, 1], [0, 1, 2]]);
});
