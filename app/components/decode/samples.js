import { make, setAttribute, setText } from "../shared/dom.js";
import { Bars } from "./bars.js";
import {
  attentionLink,
  part,
  probabilityText,
  signedText,
  TokenLine,
  textOrNothing,
} from "./parts.js";

/** Samples of several seeds, and one of them step by step: the distribution before and after it was filtered. */
export class SamplesView {
  /** @param {(message: object) => void} send */
  constructor(send) {
    this.at = 0;
    this.step = 0;
    this.list = make("ul", { class: "samples", role: "list" });
    this.variety = make("p", { class: "hint" });
    this.line = new TokenLine("Tokens of the sample", (step) => this.go(step));
    this.bars = new Bars({ before: "as predicted", after: "drawn from", chosen: "drawn" });
    this.said = make("p", { class: "verdict", role: "status" });
    this.node = make(
      "div",
      { class: "way" },
      make(
        "p",
        { class: "lead" },
        "Each token is drawn by chance. The temperature divides the logits: below 1 the likely words get likelier, above 1 all become more alike, at 0 only the likeliest is left. Then top-k keeps the k likeliest words, and top-p the fewest of them that together reach p. The rest is cut (hatched), and what is left is scaled to sum to 1.",
      ),
      part("One sample for each seed", this.list, this.variety),
      make(
        "div",
        { class: "halves" },
        part(
          "Tokens of the chosen sample",
          this.line.node,
          this.said,
          attentionLink(() => send({ type: "attention", sample: this.at, step: this.step })),
        ),
        part("What it was drawn from", this.bars.node),
      ),
    );
  }

  take(data) {
    this.samples = data.sample;
    const focused = this.list.contains(this.list.getRootNode().activeElement);
    this.list.replaceChildren(
      ...this.samples.map((sample, at) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              class: "sample",
              "aria-pressed": "false",
              onclick: () => this.choose(at),
            },
            make("span", { class: "seed" }, `seed ${sample.seed}`),
            make(
              "span",
              { class: "what" },
              textOrNothing(sample.texts.at(-1)),
              sample.finished ? null : make("span", { class: "mark" }, "no end"),
            ),
            make("span", { class: "number" }, `log P ${signedText(sample.log_probability)}`),
          ),
        ),
      ),
    );
    const different = new Set(this.samples.map(({ ids }) => ids.join())).size;
    setText(
      this.variety,
      `${different} different ${different === 1 ? "text" : "texts"} in ${this.samples.length} samples. log P is that of the model itself, before filtering.`,
    );
    this.choose(Math.min(this.at, this.samples.length - 1), this.step);
    if (focused) this.list.querySelectorAll("button")[this.at].focus();
  }

  choose(at, step = 0) {
    this.at = at;
    this.list
      .querySelectorAll("button")
      .forEach((button, k) => setAttribute(button, "aria-pressed", String(k === at)));
    const { given, tokens } = this.samples[at];
    this.line.take(given, tokens);
    this.go(step);
  }

  go(step) {
    const { tokens, steps } = this.samples[this.at];
    this.step = Math.min(step, tokens.length - 1);
    const { rows, others } = steps[this.step];
    const { p, q } = rows.find(({ chosen }) => chosen);
    const cut = rows.filter((row) => row.cut).length + (others.cut ?? 0);
    this.line.show(this.step, false);
    setText(
      this.said,
      `Step ${this.step + 1} of ${tokens.length}: ${tokens[this.step]} was drawn. Predicted with p = ${probabilityText(p)}, drawn with ${probabilityText(q)}; ${cut} of ${rows.length + others.count} words cut.`,
    );
    this.bars.show(`Before and after filtering at step ${this.step + 1}`, steps[this.step]);
  }
}
