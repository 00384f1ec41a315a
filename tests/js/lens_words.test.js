/** The words of the lens beside the rows. */

import "./document.js";

import assert from "node:assert/strict";
import { test } from "node:test";
import { LensWords } from "../../app/components/board/whole/lens_words.js";

test("in a film no row says what it would write, as not all are written", () => {
  const root = /** @type {{dataset: Record<string, string>}} */ ({ dataset: {} });
  Object.assign(document, { documentElement: root });
  const lens = { el: { hidden: false }, note: { hidden: false }, words: [], write() {} };
  const camera = /** @type {any} */ ({ zoom: 1, tall: 1, deep: 1, wide: 1, most: 1 });
  const place = () => LensWords.prototype.place.call(/** @type {any} */ (lens), camera, null);
  place();
  assert.equal(lens.el.hidden, false);
  root.dataset.film = "";
  place();
  assert.equal(lens.el.hidden, true);
});
