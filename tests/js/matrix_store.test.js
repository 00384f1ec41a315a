import assert from "node:assert/strict";
import { test } from "node:test";
import { MatrixStore } from "../../app/board/data/matrix_store.js";
import { entry } from "./builders.js";

const manifest = (matrices, more = {}) => ({
  ...{ version: 1, matrices, stages: [], choices: [] },
  ...more,
});

function large() {
  const store = new MatrixStore();
  const whole = [1000, 600];
  store.take(
    manifest(
      [
        entry("w@overview", 10, 6, { origin: ["w", 0, 0], block: [100, 100], whole }),
        entry("w@40,30", 4, 3, { origin: ["w", 40, 30], overview: "w@overview", whole }),
        entry("w@500,1", 1, 1, { origin: ["w", 500, 1] }),
      ],
      { selected: 2 },
    ),
  );
  return store;
}

test("a path that is drawn twice is one matrix", () => {
  const store = new MatrixStore();
  store.take(manifest([entry("a", 2, 2), entry("b", 1, 1), entry("a", 2, 2)]));
  assert.equal(store.byIndex[0], store.byIndex[2]);
  assert.equal(store.matrices.size, 2);
});

test("values remain in a new manifest if they still fit", () => {
  const store = new MatrixStore();
  store.take(manifest([entry("a", 2, 2), entry("b", 2, 2)]));
  for (const matrix of store.byIndex) matrix.accept(Float32Array.of(1, 2, 3, 4), null, null);
  store.take(manifest([entry("b", 2, 3), entry("a", 2, 2)]));
  assert.equal(store.byIndex[0].values, null);
  assert.deepEqual([...(store.byIndex[1].values ?? [])], [1, 2, 3, 4]);
  assert.equal(store.byIndex[1].index, 1);
});

test("a cell of a large matrix is found in its window, or alone if it is selected", () => {
  const store = large();
  const inWindow = store.cell("w", 42, 31);
  assert.equal(inWindow?.matrix.path, "w@40,30");
  assert.deepEqual([inWindow?.i, inWindow?.j], [2, 1]);
  assert.equal(store.cell("w", 500, 1)?.matrix.path, "w@500,1");
  assert.equal(store.cell("w", 44, 31), null);
});

test("cells are ringed in the window and in the overview", () => {
  const parts = large().parts("w", 40, 31, 250, 31);
  const found = parts.map(([matrix, ...cells]) => [matrix.path, ...cells]);
  assert.deepEqual(found, [
    ["w@overview", 0, 0, 2, 0],
    ["w@40,30", 0, 1, 3, 1],
  ]);
});

test("a window that moves is found by its new path, with its new labels", () => {
  const store = large();
  const matrix = store.drawn("w");
  assert.ok(matrix);
  matrix.coming = { path: "w@41,30", origin: ["w", 41, 30] };
  store.changeOver(matrix);
  assert.equal(store.matrices.get("w@41,30"), matrix);
  assert.equal(store.matrices.has("w@40,30"), false);
  assert.deepEqual(matrix.entry.origin, ["w", 41, 30]);
  assert.equal(store.cell("w", 44, 31)?.i, 3);
});

test("only values of the size of a matrix are accepted", () => {
  const store = large();
  assert.equal(store.fitting({ index: 1, rows: 4, cols: 3 }), store.byIndex[1]);
  assert.equal(store.fitting({ index: 1, rows: 3, cols: 4 }), null);
  assert.equal(store.fitting({ index: 9, rows: 1, cols: 1 }), null);
});

test("a row that is drawn alone has only its own cells", () => {
  const store = new MatrixStore();
  store.take(manifest([entry("h@2+1,0+4", 1, 4, { origin: ["h", 2, 0] })]));
  assert.equal(store.isDrawn("h", 2, 3), true);
  assert.equal(store.isDrawn("h", 1, 3), false);
  assert.deepEqual(
    store.partsWith("h", 2, 3).map(({ path }) => path),
    ["h@2+1,0+4"],
  );
  // The selected cell's number is available, but the cell is not drawn.
  assert.deepEqual(large().partsWith("w", 500, 1), []);
});

test("another model has none of the numbers of the model before", () => {
  const store = new MatrixStore();
  assert.equal(store.take(manifest([entry("m", 2, 3)], { model: "phrases" })), false);
  const before = store.byIndex[0];
  assert.equal(store.take(manifest([entry("m", 2, 3)], { model: "phrases" })), false);
  assert.equal(store.byIndex[0], before);
  assert.equal(store.take(manifest([entry("m", 2, 3)], { model: "sandbox" })), true);
  assert.notEqual(store.byIndex[0], before);
});
