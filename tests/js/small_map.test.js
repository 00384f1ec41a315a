/** The small map covers nothing: it goes where there is room, smaller if need be, or is not shown. */

import "./document.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { Claims } from "../../app/board/labels/claims.js";
import { SmallMap } from "../../app/board/picture/small_map.js";

const TAKEN = { x: 0, y: 0, width: 400, height: 400 };

/** Where the map is once the camera rests. @param {number | null} free the only free place */
function settled(free) {
  const claims = new Claims();
  claims.set("numbers", [TAKEN]);
  const map = {
    ...{ viewpoint: { claims }, el: { matches: () => false }, at: 0, isFree: true },
    boxIn: (/** @type {number} */ k) => (k === free ? { ...TAKEN, x: 500 } : TAKEN),
    place() {},
    draw() {},
  };
  SmallMap.prototype.settle.call(/** @type {any} */ (map));
  return [map.at, map.isFree];
}

test("the map takes the place that is free, and is not shown where none is", () => {
  assert.deepEqual(settled(2), [2, true]);
  assert.deepEqual(settled(100), [100, true]);
  assert.deepEqual(settled(null), [0, false]);
});
