/** Sentences on a link, and on a word with the words that it looks at or that look at it. */

import { inUnits } from "../../components/shared/units.js";
import { isAboveChance } from "./chance.js";
import { weightText } from "./curve.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Link} from "./link_curves.js"
 *
 * @typedef {{side: "query" | "key", k: number}} Token
 * @typedef {{values: Float32Array, head: number}} Head with its weights
 *
 * @typedef {object} Heard
 * @property {(row: number) => ReadonlySet<number>} silentIn the heads that are silenced in a row
 * @property {boolean} isOne whether there is only one head
 * @property {string} more the end of the sentence
 */

const MOST_SAID = 3; // largest number of heads whose strongest words are named
const PULL = "   drag it up to pull it thicker, down for thinner";

/** @param {Matrix} matrix @param {Token} token */
const wordOf = ({ entry }, { side, k }) =>
  (side === "query" ? entry.row_labels : entry.col_labels)[k] || "∅";

/**
 * @param {Matrix} matrix of any head @param {Link} link @param {readonly Head[]} heads
 * @param {boolean} canPull whether the link can be pulled
 */
export function pairSentence(matrix, { i, j }, heads, canPull) {
  const at = i * matrix.cols + j;
  const weights = heads.map(({ values, head }) => `head ${head + 1}: ${weightText(values[at])}`);
  const looks = wordOf(matrix, { side: "query", k: i });
  const heard = wordOf(matrix, { side: "key", k: j });
  return `${looks} looks at ${heard}   ${weights.join(", ")}${canPull ? PULL : ""}`;
}

/**
 * @param {Matrix} matrix of any head @param {Token} token @param {readonly Head[]} heads
 * @param {Heard} heard
 */
export function wordSentence(matrix, token, heads, { silentIn, isOne, more }) {
  const isQuery = token.side === "query";
  const own = wordOf(matrix, token);
  const all = strongestOf(matrix, token, heads, silentIn);
  const clear = all.filter(({ isClear }) => isClear);
  if (all.length && !clear.length)
    return isQuery
      ? inUnits(`${own} looks at all words about equally`)
      : inUnits(`no word looks at ${own} more than at others`);
  if (heads.length && !all.length) {
    const which = ["the head is", "both heads are"][heads.length - 1] ?? "all heads are";
    const looks = isQuery ? "it looks at nothing" : inUnits("no word looks at it");
    return `${own}: ${which} silent: ${looks}`;
  }
  const strongest = clear.map(({ k, head, weight }) => {
    const word = wordOf(matrix, { side: isQuery ? "key" : "query", k });
    return `${word} ${weightText(weight)}${isOne ? "" : ` (head ${head + 1})`}`;
  });
  return `${own} ${isQuery ? "looks at" : "is looked at by"} ${strongest.join(", ")}${more}`;
}

/**
 * For each head that is not silenced, the word with the largest weight, and whether this weight is
 * clearly above chance; the strongest word first.
 * @param {Matrix} matrix of any head @param {Token} token @param {readonly Head[]} heads
 * @param {Heard["silentIn"]} silentIn
 */
function strongestOf(matrix, { side, k: at }, heads, silentIn) {
  const { rows, cols } = matrix;
  const silent = Array.from({ length: rows }, (_, row) => silentIn(row));
  return heads
    .map(({ values, head }) => {
      const weights = Array.from({ length: side === "query" ? cols : rows }, (_, k) => {
        const [i, j] = side === "query" ? [at, k] : [k, at];
        return silent[i].has(head) ? Number.NEGATIVE_INFINITY : values[i * cols + j];
      });
      const weight = Math.max(...weights);
      const k = weights.indexOf(weight);
      const visible = matrix.visibleIn(side === "query" ? at : k);
      const isClear = Number.isNaN(weight) || isAboveChance(weight, visible);
      return { k, head, weight, isClear };
    })
    .filter(({ weight }) => weight !== Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_SAID);
}
