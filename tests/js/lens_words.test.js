import assert from "node:assert/strict";
import { test } from "node:test";
import { place } from "../../app/board/labels/place.js";
import { LensWords } from "../../app/board/picture/lens_words.js";

const PATH = "decoder.0.self_attn.norm";
const FOLDS = { gaps: [], opens: 0 };

const INK = { measureText: (text) => ({ width: 7 * text.length }) };
const ELEMENT = { append() {}, replaceChildren() {}, setAttribute() {}, getContext: () => INK };
const createElement = () => ({ ...ELEMENT, style: {} });

/** The words of one column at a zoom, and which of these are shown. */
function shown(zoom) {
  const store = { byIndex: [{ path: PATH }] };
  const lens = new LensWords(
    store,
    () => "sans-serif",
    () => {},
  );
  const placed = { index: 0, part: "", stack: "decoder", x: 0, top: 0, rows: 3, room: 46 };
  lens.show({ lens: [placed] });
  lens.take({ [PATH]: ["le", "chat", "noir"] });
  const camera = { x: 0, y: 0, zoom, tall: 0.02, deep: 6, wide: 1, most: 28, folds: FOLDS };
  const sight = { camera, view: { width: 900, height: 600 }, left: 0, top: 0 };
  const labels = lens.labels(sight);
  const found = place(labels, []);
  for (const label of labels) label.show(found.get(label.key));
  return { words: lens.words.filter(({ el }) => !el.hidden).length, isNoted: !lens.note.hidden };
}

test("all words of a column of the lens are shown, or a note instead", () => {
  Object.assign(document, { createElement, documentElement: { dataset: {} } });
  assert.deepEqual(shown(1), { words: 3, isNoted: false });
  assert.deepEqual(shown(0.3), { words: 0, isNoted: true }, "rows are lower than letters of 11 px");
});

test("in a film no row shows the words of the lens", () => {
  Object.assign(document, { createElement, documentElement: { dataset: { film: "" } } });
  assert.deepEqual(shown(1), { words: 0, isNoted: false });
});
