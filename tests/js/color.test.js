import assert from "node:assert/strict";
import { test } from "node:test";
import { shadeOf, Theme } from "../../app/board/paint/color.js";

const COLORS = {
  "--zero": "#ffffff",
  "--positive": "#0000ff",
  "--negative": "#ff0000",
  "--share": "#00ff00",
  "--fading": "1",
};

/** A canvas whose pixel has the last fill color. */
const ctx = {
  fillStyle: "",
  clearRect() {},
  fillRect() {},
  getImageData: () => ({
    data: [1, 3, 5].map((at) => Number.parseInt(ctx.fillStyle.slice(at, at + 2), 16)),
  }),
};
globalThis.document = { createElement: () => ({ getContext: () => ctx }) };
globalThis.getComputedStyle = () => ({ getPropertyValue: (name) => COLORS[name] ?? "#808080" });

test("a number has the color of its sign, and a share the color of shares", () => {
  const theme = new Theme({});
  const ground = (v, isShare = false) => theme.ground[shadeOf({ maximum: 10, isShare }, v)];
  assert.equal(ground(0), "rgb(255,255,255)");
  assert.equal(ground(10), "rgb(0,0,255)");
  assert.equal(ground(-10), "rgb(255,0,0)");
  assert.equal(ground(10, true), "rgb(0,255,0)");
});
