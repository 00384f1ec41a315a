/**
 * Compares training and inference: what the decoder was given at each position, and what it
 * predicts there.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { probabilityText, reachable } from "./parts.js";

/** @import {DecodeData, Position, Prediction} from "./types.js" */

const LEAD =
  "In training the decoder is given the right tokens, whatever it would have written itself. " +
  "Then no position waits for another, and all of them are computed in one pass, in parallel: " +
  "the mask keeps each from seeing the answer. At inference there are no right tokens. The " +
  "decoder writes one token at a time and is given its own, so an early mistake travels on " +
  "into everything after it.";
/** Labels for whose words count as right. */
const RIGHT_OF = {
  data: "the right translation, which the model’s data know",
  model: "what it writes itself, as nobody knows a right answer here: write the target to compare",
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
  constructor() {
    this.at = -1; // the position that is followed
    this.body = make("tbody");
    this.hint = make("p", { class: "hint" });
    this.verdict = make("p", { class: "verdict", role: "status" });
    /** @param {string} text @param {string} more @param {string} kind */
    const group = (text, more, kind) =>
      make(
        "th",
        { scope: "colgroup", colspan: "2", class: kind },
        text,
        make("span", { class: "more" }, more),
      );
    const table = make(
      "table",
      { class: "comparison" },
      make(
        "caption",
        { class: "visually-hidden" },
        "Each position, given the right tokens and given its own",
      ),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("td", { colspan: "2" }),
          group("In training", "teacher-forced", "forced"),
          group("At inference", "autoregressive, greedy", "free"),
        ),
        make(
          "tr",
          {},
          ...COLUMNS.map(({ kind, text }) => make("th", { scope: "col", class: kind }, text)),
        ),
      ),
      this.body,
    );
    this.node = make(
      "div",
      { class: "way beside" },
      make("div", { class: "told" }, this.verdict, make("p", { class: "lead" }, LEAD), this.hint),
      reachable(
        make(
          "div",
          { class: "scroll", role: "group", "aria-label": "Training and inference by position" },
          table,
        ),
      ),
    );
  }

  /** @param {DecodeData} data */
  take({ comparison }) {
    if (!comparison) return;
    const { right_of: rightOf, rows, of, forced, free, first, finished } = comparison;
    setText(this.hint, hint(RIGHT_OF[rightOf]));
    const sentences = [
      `Given the right tokens it predicts ${forced} of ${of} right; ` +
        `given its own, ${free} of ${of}.`,
    ];
    if (free === of)
      sentences.push(
        "Writing on its own it makes no mistake here; change the target or a weight to see one " +
          "travel.",
      );
    else if (first !== null)
      sentences.push(
        `Its first mistake on its own is at position ${first}: ` +
          "from there on it reads its own words.",
      );
    if (!finished) sentences.push("Writing on its own it found no end within the limit.");
    setText(this.verdict, of ? sentences.join(" ") : "The target has no token to predict.");
    this.body.replaceChildren(...rows.map(line));
    this.follow(this.at);
  }

  /** @param {number} at the position that is followed on the page */
  follow(at) {
    this.at = at;
    [...this.body.rows].forEach((row, k) => {
      setAttribute(row, "aria-current", k === at ? "true" : null);
    });
  }
}

/** @param {Position} position @param {number} k */
function line({ right, forced, free }, k) {
  const strays = free !== null && forced !== null && free.given !== forced.given;
  return make(
    "tr",
    {},
    make("td", { class: "position" }, String(k)),
    make(
      "th",
      { scope: "row" },
      right === null
        ? make("span", { class: "none" }, "–")
        : make("span", { class: "word", title: right }, right),
    ),
    ...cells(forced, "forced", false),
    ...cells(free, "free", strays),
  );
}

/**
 * @param {Prediction | null} prediction @param {string} kind
 * @param {boolean} strays whether the decoder was given a wrong token
 */
function cells(prediction, kind, strays) {
  if (!prediction) return [make("td", { class: kind }), make("td", { class: kind })];
  const { given, word, p, is_right: isRight } = prediction;
  const mark =
    isRight === null
      ? null
      : make(
          "span",
          {
            class: isRight ? "right" : "wrong",
            role: "img",
            "aria-label": isRight ? "right" : "wrong",
          },
          isRight ? "✓" : "✗",
        );
  return [
    make(
      "td",
      { class: `${kind} is-given` },
      make("span", { class: "word", title: given }, given),
      strays
        ? make("span", { class: "stray", role: "img", "aria-label": "not the right one" }, "•")
        : null,
    ),
    make(
      "td",
      { class: kind },
      make(
        "span",
        { class: "answer" },
        make("span", { class: "word", title: word }, word),
        make("span", { class: "number" }, probabilityText(p)),
        mark,
      ),
    ),
  ];
}
