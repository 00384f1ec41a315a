import assert from "node:assert/strict";
import { test } from "node:test";
import { Claims } from "../../app/board/labels/claims.js";
import { SmallMap } from "../../app/board/picture/small_map.js";

const TAKEN = { x: 0, y: 0, width: 400, height: 400 };

/** The index of the map's place once the camera stops, if one place has another box. */
function settled(other, box) {
  const claims = new Claims();
  claims.set("numbers", [TAKEN]);
  const map = {
    ...{ viewpoint: { claims }, el: { matches: () => false }, at: 0 },
    boxIn: (k) => (k === other ? { ...TAKEN, ...box } : TAKEN),
    place() {},
    draw() {},
  };
  SmallMap.prototype.settle.call(map);
  return map.at;
}

test("the map takes a free place, otherwise the place that covers the least", () => {
  assert.equal(settled(2, { x: 500 }), 2);
  assert.equal(settled(20, { x: 500 }), 20);
  assert.equal(settled(20, { width: 100 }), 20);
});
