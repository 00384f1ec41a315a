import { make, setText } from "../shared/dom.js";
import { probabilityText, reachable } from "./parts.js";

/** Training and inference side by side: what the decoder was given at each position, and what it predicts there. */
export class ComparisonView {
  constructor() {
    this.body = make("tbody");
    this.verdict = make("p", { class: "verdict", role: "status" });
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
          ...[
            ["", "#"],
            ["", "right next"],
            ["forced", "is given"],
            ["forced", "predicts"],
            ["free", "is given"],
            ["free", "writes"],
          ].map(([kind, text]) => make("th", { scope: "col", class: kind }, text)),
        ),
      ),
      this.body,
    );
    this.node = make(
      "div",
      { class: "way" },
      make(
        "p",
        { class: "lead" },
        "In training the decoder is given the right tokens, whatever it would have written itself. Then no position waits for another, and all of them are computed in one pass, in parallel: the mask keeps each from seeing the answer. " +
          "At inference there are no right tokens. The decoder writes one token at a time and is given its own, so an early mistake travels on into everything after it.",
      ),
      this.verdict,
      reachable(
        make(
          "div",
          { class: "scroll", role: "group", "aria-label": "Training and inference by position" },
          table,
        ),
      ),
      make(
        "p",
        { class: "hint" },
        "✓ and ✗ compare with the right next token: the target’s own, and after its last token what should come next, which is the end if nothing else was chosen. A dot marks a token of its own that differs from the right one.",
      ),
    );
  }

  take(data) {
    const { rows, of, forced, free, first, finished } = data.comparison;
    const end = finished ? "" : " Writing on its own it found no end within the limit.";
    const travels =
      free === of && of
        ? " Writing on its own it makes no mistake here; change the target or a weight to see one travel."
        : first === null
          ? ""
          : ` Its first mistake on its own is at position ${first + 1}: from there on it reads its own words.`;
    setText(
      this.verdict,
      of
        ? `Given the right tokens it predicts ${forced} of ${of} right; given its own, ${free} of ${of}.${travels}${end}`
        : "The target has no token to predict.",
    );
    this.body.replaceChildren(...rows.map((row, k) => this.row(row, k)));
  }

  row({ right, forced, free }, k) {
    const strays = free && forced && free.given !== forced.given;
    return make(
      "tr",
      {},
      make("td", { class: "position" }, String(k + 1)),
      make(
        "th",
        { scope: "row" },
        right === null
          ? make("span", { class: "none" }, "–")
          : make("span", { class: "word", title: right }, right),
      ),
      ...this.cells(forced, "forced", false),
      ...this.cells(free, "free", strays),
    );
  }

  cells(cell, kind, strays) {
    if (!cell) return [make("td", { class: kind }), make("td", { class: kind })];
    const { given, word, p, is_right: isRight } = cell;
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
}
