import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { glide } from "../../app/features/prediction/glide.js";

function part(name) {
  const el = { name, moves: [], isOver: false };
  const animate = (frames, timing) => {
    el.moves.push({ frames, ...timing });
    return { cancel: () => Object.assign(el, { isOver: true }) };
  };
  return Object.assign(el, { animate });
}

test("a bar glides for a quarter of a second, and its text appears at the final place", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const [word, track, number] = ["word", "track", "number"].map(part);
  const of = { ".track": [track], ".word, .number": [word, number] };
  const node = { ...part("node"), querySelectorAll: (all) => of[all] };
  glide(node, [0, 30]);
  assert.deepEqual(track.moves[0].frames, [{ transform: "translate(0px, 30px)" }, {}]);
  for (const text of [word, number]) {
    assert.ok(text.moves[0].frames.every((one) => !("transform" in one)));
    assert.equal(text.moves[0].frames[0].opacity, 0);
  }
  mock.timers.tick(250);
  assert.ok([word, track, number].every(({ isOver }) => isOver));
  mock.timers.reset();
});
