/**
 * Compares training and inference: the token given to the decoder at each position, and the token
 * that it predicts there.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { drawn } from "../../components/shared/template.js";
import { inUnits } from "../../components/shared/units.js";
import { reachable } from "./parts.js";

/** @import {Comparison, DecodeData, Position, Prediction} from "./types.js" */

const LEAD =
  "In training the decoder reads the right tokens, whatever it would have written itself. " +
  "Then no position waits for another, and all of them are computed in one pass, in parallel: " +
  "the mask keeps each from seeing the answer. At inference there are no right tokens. The " +
  "decoder writes one token at a time and reads its own tokens, so an early mistake affects " +
  "everything after it.";
/** Labels for the source of the right words. */
const RIGHT_OF = {
  data: "the right translation, which the model’s data know",
  model:
    "what it writes itself, because there is no right answer here: write the target to compare",
  reader:
    "the target’s own, and after its last token what should come next, which is the end if " +
    "nothing else was chosen",
};
/** @param {string} what */
const hint = (what) =>
  `✓ and ✗ compare with the right next token: ${what}. A dot marks a token of its own that ` +
  "differs from the right one.";
const COLUMNS = [
  { kind: "", text: "position" },
  { kind: "", text: "right next" },
  { kind: "forced", text: "is given" },
  { kind: "forced", text: "predicts" },
  { kind: "free", text: "is given" },
  { kind: "free", text: "writes" },
];

export class ComparisonView {
  /** @param {() => void} show */
  constructor(show) {
    this.show = show;
    this.at = -1; // the followed position
    this.found = /** @type {Comparison} */ (/** @type {unknown} */ ({ rows: [] }));
    const { node, show: draw } = drawn(
      () => html`<div class="scroll" role="group" aria-label="Training and inference by position">
        <table class="comparison">
          <caption class="visually-hidden">
            Each position, with the right tokens and with its own
          </caption>
          <thead>
            <tr>
              <td colspan="2"></td>
              ${group("In training", "teacher-forced", "forced")}
              ${group("At inference", "autoregressive, greedy", "free")}
            </tr>
            <tr>
              ${COLUMNS.map(({ kind, text }) => html`<th scope="col" class=${kind}>${text}</th>`)}
            </tr>
          </thead>
          <tbody>${this.found.rows.map((row, k) => line(row, k, k === this.at))}</tbody>
        </table>
      </div>`,
    );
    this.table = reachable(node);
    this.draw = draw;
  }

  template() {
    return html`<div class="way beside">
      <div class="told">
        <p class="verdict" role="status">${verdict(this.found)}</p>
        <p class="lead">${inUnits(LEAD)}</p>
        <p class="hint">${hint(RIGHT_OF[this.found.right_of])}</p>
      </div>
      ${this.table}
    </div>`;
  }

  /** @param {DecodeData} data */
  take({ comparison }) {
    if (comparison) this.found = comparison;
    this.follow(this.at);
  }

  /** @param {number} at the position followed on the page */
  follow(at) {
    this.at = at;
    this.draw();
    this.show();
  }
}

/** @param {Comparison} comparison */
function verdict({ of, forced, free, first, finished }) {
  if (!of) return "The target has no token to predict.";
  const sentences = [
    `With the right tokens it predicts ${forced} of ${of} right; with its own, ${free} of ${of}.`,
  ];
  if (free === of)
    sentences.push(
      "On its own it makes no mistake here. Change the target or a weight to see how a " +
        "mistake spreads.",
    );
  else if (first !== null)
    sentences.push(
      `Its first mistake on its own is at position ${first}: from there on it reads its own words.`,
    );
  if (!finished) sentences.push("On its own it did not end the text within the limit.");
  return sentences.join(" ");
}

/** @param {string} text @param {string} more @param {string} kind */
const group = (text, more, kind) =>
  html`<th scope="colgroup" colspan="2" class=${kind}>
    ${text}<span class="more">${more}</span>
  </th>`;

/** @param {string} text */
const named = (text) => html`<span class="word" title=${text}>${text}</span>`;

/** @param {string} kind @param {string} label @param {string} sign */
const image = (kind, label, sign) =>
  html`<span class=${kind} role="img" aria-label=${label}>${sign}</span>`;

/** @param {Position} position @param {number} k @param {boolean} isFollowed */
function line({ right, forced, free }, k, isFollowed) {
  const strays = free !== null && forced !== null && free.given !== forced.given;
  return html`<tr aria-current=${isFollowed ? "true" : nothing}>
    <td class="position">${k}</td>
    <th scope="row">${right === null ? html`<span class="none">–</span>` : named(right)}</th>
    ${cells(forced, "forced", false)}${cells(free, "free", strays)}
  </tr>`;
}

/**
 * @param {Prediction | null} prediction @param {string} kind
 * @param {boolean} strays whether the decoder was given a wrong token
 */
function cells(prediction, kind, strays) {
  if (!prediction) return html`<td class=${kind}></td><td class=${kind}></td>`;
  const { given, word, p, is_right: isRight } = prediction;
  const mark = isRight ? image("right", "right", "✓") : image("wrong", "wrong", "✗");
  return html`<td class="${kind} is-given">${named(given)}${
    strays ? image("stray", "not the right one", "•") : nothing
  }</td>
    <td class=${kind}><span class="answer">${named(word)}<span class="number">${probabilityText(
      p,
    )}</span>${isRight === null ? nothing : mark}</span></td>`;
}
