/**
 * Samples of several seeds, one of them step by step, with the distribution before and after
 * filtering.
 */

import { make, setAttribute, setText } from "../shared/dom.js";
import { Bars } from "./bars.js";
import {
  attentionLink,
  followRow,
  part,
  percentText,
  placeOf,
  signedText,
  TokenLine,
  textOrNothing,
} from "./parts.js";

/** @import {DecodeData, SampledText, Send} from "./types.js" */

const LEAD =
  "Each token is drawn by chance. The temperature divides the logits: below 1 the likely words " +
  "get likelier, above 1 all become more alike, at 0 only the likeliest is left. Then top-k " +
  "keeps the k likeliest words, and top-p the fewest of them that together reach p. The rest " +
  "is cut (hatched), and what is left is scaled to sum to 1.";

export class SamplesView {
  /** @param {Send} send */
  constructor(send) {
    this.at = 0;
    this.step = 0;
    this.samples = /** @type {SampledText[]} */ ([]);
    this.buttons = /** @type {HTMLButtonElement[]} */ ([]);
    this.list = make("ul", { class: "samples", role: "list" });
    this.variety = make("p", { class: "hint" });
    this.line = new TokenLine("Tokens of the sample", (step) => this.walk(step));
    this.bars = new Bars({ before: "as predicted", after: "drawn from", chosen: "drawn" });
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.left = make("p", { class: "hint" });
    this.node = make(
      "div",
      { class: "way" },
      this.verdict,
      make("p", { class: "lead" }, LEAD),
      part("One sample for each seed", this.list, this.variety),
      make(
        "div",
        { class: "halves" },
        part(
          "Tokens of the chosen sample",
          this.line.node,
          this.left,
          attentionLink(() => send({ type: "attention", sample: this.at, step: this.step })),
        ),
        part("What it was drawn from", this.bars.node),
      ),
    );
  }

  /** @param {DecodeData} data */
  take({ sample: samples }) {
    if (!samples) return;
    this.samples = samples;
    const isFocused = this.list.matches(":focus-within");
    this.buttons = samples.map((sample, at) => this.button(sample, at));
    this.list.replaceChildren(...this.buttons.map((button) => make("li", {}, button)));
    const different = new Set(this.samples.map(({ ids }) => ids.join())).size;
    setText(
      this.variety,
      `${different} different ${different === 1 ? "text" : "texts"} in ${this.samples.length} ` +
        "samples. log P is that of the model itself, before filtering.",
    );
    this.choose(Math.min(this.at, this.samples.length - 1), this.step);
    if (isFocused) this.buttons[this.at].focus();
  }

  /** @param {SampledText} sample @param {number} at */
  button({ seed, texts, finished, log_probability: total }, at) {
    return make(
      "button",
      {
        type: "button",
        class: "sample",
        "aria-pressed": "false",
        onclick: () => this.choose(at, this.step),
      },
      make("span", { class: "seed" }, `seed ${seed}`),
      make(
        "span",
        { class: "what" },
        textOrNothing(texts.at(-1) ?? ""),
        finished ? null : make("span", { class: "mark" }, "no end"),
      ),
      make("span", { class: "number" }, `log P ${signedText(total)}`),
    );
  }

  /** @param {number} at @param {number} step */
  choose(at, step) {
    this.at = at;
    this.buttons.forEach((button, k) => {
      setAttribute(button, "aria-pressed", String(k === at));
    });
    const { given, tokens } = this.samples[at];
    this.line.take(given, tokens);
    this.go(step);
  }

  /** @param {number} step */
  go(step) {
    const { tokens, steps } = this.samples[this.at];
    this.step = Math.min(Math.max(step, 0), tokens.length - 1);
    const { rows, others } = steps[this.step];
    const { p = 0, q = 0 } = rows.find(({ chosen }) => chosen) ?? {};
    const cut = rows.filter((row) => row.cut).length + (others.cut ?? 0);
    this.line.show(this.step, false);
    const place = placeOf(this.samples[this.at], this.step);
    setText(this.verdict, `${place} it drew “${tokens[this.step]}”, ${percentText(p)}.`);
    setText(
      this.left,
      `Predicted with ${percentText(p)}, drawn with ${percentText(q)}; ` +
        `${cut} of ${rows.length + others.count} words cut.`,
    );
    this.bars.show(`${place}, before and after filtering`, steps[this.step]);
  }

  /** Goes to a step and shows it in the picture, too. @param {number} step */
  walk(step) {
    this.go(step);
    const { given, tokens } = this.samples[this.at];
    followRow([...given, ...tokens.slice(0, this.step)]);
  }

  /** @param {number} at the position that is followed on the page */
  follow(at) {
    const sample = this.samples[this.at];
    if (sample) this.go(at - sample.given.length + 1);
  }
}
