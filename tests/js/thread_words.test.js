import assert from "node:assert/strict";
import { test } from "node:test";
import { Matrix } from "../../app/board/data/matrix.js";
import { byCarried } from "../../app/board/focus/strengths.js";
import { isAboveChance } from "../../app/board/links/chance.js";
import {
  lookingWords,
  namedLinks,
  saidAt,
  saidOf,
  whichWord,
} from "../../app/board/picture/thread_words.js";
import { emphasisOf } from "./builders.js";

/** The links of an attention to two words by heads with these weights. */
function linksOf(...heads) {
  const grids = heads.map((stated, head) => ({
    ...{
      head,
      matrix: { stated, rows: stated.length / 2, cols: 2, entry: {}, visibleIn: () => 2 },
    },
  }));
  return {
    ...{ grids, matrices: [grids[0].matrix], silentIn: [], headAlone: () => null },
    isAsked: () => false,
    placed: { item: { stack: "decoder", keys: "encoder" }, part: "decoder.1.cross_attn" },
  };
}
const plain = (text) => text.replace(/[\u2068\u2069]/g, "");

test("a word that occurs several times in the sentence is named with its order", () => {
  const words = ["the", "cat", "the", "the", "the"];
  assert.deepEqual(
    [...words.keys()].map((at) => plain(whichWord(words, at))),
    ["the first “the”", "“cat”", "the second “the”", "the third “the”", "the 4th “the”"],
  );
});

test("the strongest heads come first, without heads that are silenced in the row", () => {
  const links = linksOf([0.7, 0.3, 0.7, 0.3], [0.1, 0.9, 0.1, 0.9]);
  links.silentIn = [new Set(), new Set([1])];
  const named = (stack, index) =>
    namedLinks(links, { stack, index }).map(({ head, query, key }) => [head, query, key]);
  assert.deepEqual(named("decoder", 0), [
    [1, 0, 1],
    [0, 0, 0],
  ]);
  assert.deepEqual(named("decoder", 1), [[0, 1, 0]]);
  // The other head's weight is below chance.
  assert.deepEqual(named("encoder", 1), [[1, 0, 1]]);
  links.headAlone = () => 0;
  assert.deepEqual(named("decoder", 0), [[0, 0, 0]], "of a head that is shown alone");
});

test("a word looks at another one only if the weight is clearly above chance", () => {
  assert.equal(isAboveChance(0.14, 7), false);
  assert.equal(isAboveChance(0.09, 7), false);
  assert.equal(isAboveChance(0.34, 7), true);
  assert.equal(isAboveChance(0.55, 2), false);
  assert.equal(isAboveChance(1, 1), true);
  assert.equal(lookingWords("“sur”", ["“the”", "“mat”"], false), "“sur” looks at “the” and “mat”");
  assert.equal(lookingWords("“sur”", [], false), "“sur” looks at all words about equally");
  assert.equal(lookingWords("“cat”", ["the first “le”"], true), "The first “le” looks at “cat”");
  assert.equal(lookingWords("“cat”", [], true), "No word looks at “cat” more than at others");
});

test("during training only the weights of the caption change, each at its place", () => {
  const entry = { parts: [{ id: "decoder.1.cross_attn", title: "cross-attention", layer: 2 }] };
  const lane = { stack: "decoder", index: 0 };
  const said = (...heads) => saidAt("Step 1,000", entry, linksOf(...heads), lane);
  const one = said([0.9, 0.1, 0.5, 0.5], [0.2, 0.8, 0.5, 0.5]);
  const other = said([0.45, 0.55, 0.5, 0.5], [0.3, 0.7, 0.5, 0.5]);
  assert.deepEqual(
    [one, other].map(({ heads }) => heads.map(({ head, weight }) => [head, weight])),
    [
      [
        [0, 0.9],
        [1, 0.8],
      ],
      [
        [0, 0.55],
        [1, 0.7],
      ],
    ],
  );
  assert.deepEqual({ ...one, heads: [] }, { ...other, heads: [] });
  assert.equal(one.looks, "Step 1,000: largest weights of the followed word");
});

test("the caption of a source word names the row that looks at it, and no next word", () => {
  const links = linksOf([0.1, 0.9, 0.5, 0.5]);
  const entry = {
    parts: [{ id: "decoder.1.cross_attn", title: "cross-attention", layer: 2 }],
    stacks: [
      { stack: "encoder", words: ["black", "black"] },
      { stack: "decoder", words: ["sur", "le"], right: ["le", "tapis"] },
    ],
  };
  const { looks, part, writes } = saidOf(entry, links, { stack: "encoder", index: 1 }, null);
  assert.equal(plain(looks), "“sur” looks at the second “black”");
  assert.equal(part, "cross-attention 2: ");
  assert.equal(writes, "");
});

test("beside a followed word only the named words stand out", () => {
  const lane = (index) => ({ stack: "encoder", index });
  const focus = () => ({ kind: "word", of: { stack: "decoder", index: 0 } });
  const emphasis = emphasisOf({ focus, named: () => [{ lane: lane(2) }] });
  assert.equal(emphasis.asNamed(lane(2), 0.4), 1);
  assert.ok(emphasis.asNamed(lane(1), 0.9) <= 0.5);
  assert.equal(emphasis.asNamed({ stack: "decoder", index: 0 }, 0.9), 0.9);
});

test("while a change is explained, only links that carried it are colored", () => {
  const matrix = new Matrix({ path: "a.weights", rows: 2, cols: 3 }, 0);
  const trail = { changes: 1, differs: true };
  const emphasis = emphasisOf({ trail, store: { byIndex: [matrix] } });
  const links = new Map([[matrix, new Map([[2, 0.5]])]]);
  const from = [{ stack: "encoder", index: 1 }];
  const to = { stack: "decoder", index: 1 };
  emphasis.flow.entry = {};
  const { explanation } = emphasis;
  explanation.isTold = true;
  explanation.known = { at: "1 1", by: { links, from, to } };
  explanation.tick();
  const found = [...byCarried(matrix, [], links)].map((x) => +x.toFixed(2));
  assert.deepEqual(found, [0.2, 0.2, 0.8, 0.2, 0.2, 0.2], "nor is any other painted in color");
  assert.deepEqual([emphasis.changedLane, emphasis.carriers], [to, [0]]);
});

test("the caption omits heads of a row that a question asks about", () => {
  const links = linksOf([0.9, 0.1], [0.9, 0.1]);
  const count = (all) => namedLinks(all, { stack: "decoder", index: 0 }).length;
  assert.deepEqual([count(links), count({ ...links, isAsked: () => true })], [2, 0]);
});
