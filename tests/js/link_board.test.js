import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkBoard } from "../../app/board/links/link_board.js";

test("of a head that is silenced it is not said what it looks at", () => {
  const scope = "decoder.0.cross_attn";
  const told = (silenced) => {
    const board = {
      ...{ scope, heads: [0, 1], matrices: [{ rows: 1, cols: 2, visibleIn: () => 2 }] },
      services: { store: { manifest: { silenced } } },
    };
    const heads = [
      { head: 0, values: Float32Array.of(0.75, 0.25) },
      { head: 1, values: Float32Array.of(0, 1) },
    ];
    const token = { side: "query", k: 0 };
    return LinkBoard.prototype.strongestOf
      .call(board, token, heads)
      .map(({ k, head, weight }) => `${k}${head} ${weight}`);
  };
  assert.deepEqual(told([]), ["1 (head 2) 1", "0 (head 1) 0.75"]);
  const part = {
    path: `${scope}.head.1.context`,
    row: null,
    column: null,
    to: "zero",
    unheard: [1],
  };
  assert.deepEqual(told([part]), ["0 (head 1) 0.75"]);
  assert.deepEqual(told([{ ...part, row: 0 }]), ["0 (head 1) 0.75"]);
  assert.deepEqual(told([{ ...part, unheard: [0, 1] }]), []);
});
