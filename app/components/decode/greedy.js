/** Greedy decoding step by step. */

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

/** @import {DecodeData, DecodedText, Send} from "./types.js" */

const PLAY_MS = 900;
const LEAD =
  "At each step the decoder reads all that was written, gives a distribution over the " +
  "vocabulary, and the likeliest word is written. That word is read in the next step.";

/** @type {DecodedText} */
const NOTHING = {
  given: [],
  opening: "",
  ids: [],
  tokens: [],
  texts: [],
  steps: [],
  finished: false,
  log_probability: 0,
};

export class GreedyView {
  /** @param {Send} send */
  constructor(send) {
    this.step = 0;
    this.timer = 0;
    this.found = NOTHING;
    /** @param {string} label @param {() => void} run */
    const button = (label, run) =>
      make(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => {
            this.stop();
            run();
          },
        },
        label,
      );
    this.first = button("First", () => this.walk(0));
    this.back = button("Back", () => this.walk(this.step - 1));
    this.next = button("Next", () => this.walk(this.step + 1));
    this.play = make(
      "button",
      { type: "button", class: "button primary", onclick: () => this.toggle() },
      "Play",
    );
    this.line = new TokenLine("Tokens so far", (step) => {
      this.stop();
      this.walk(step);
    });
    this.text = make("output", { class: "text" });
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.bars = new Bars();
    this.total = make("p", { class: "hint" });
    this.node = make(
      "div",
      { class: "way" },
      this.verdict,
      make(
        "div",
        { class: "halves" },
        make(
          "div",
          { class: "told" },
          make(
            "div",
            { class: "buttons", role: "group", "aria-label": "Steps" },
            this.play,
            this.first,
            this.back,
            this.next,
          ),
          part(
            "Written so far",
            this.line.node,
            this.text,
            this.total,
            attentionLink(() => {
              this.stop();
              send({ type: "attention", step: this.step });
            }),
          ),
        ),
        part("What it chose from", this.bars.node),
      ),
      make("p", { class: "lead" }, LEAD),
    );
  }

  /** @param {DecodeData} data */
  take({ greedy }) {
    if (!greedy) return;
    this.found = greedy;
    this.line.take(this.found.given, this.found.tokens);
    this.go(this.step);
  }

  get last() {
    return this.found.tokens.length - 1;
  }

  /** @param {number} step */
  go(step) {
    const { tokens, texts, steps, finished, log_probability: total } = this.found;
    this.step = Math.min(Math.max(step, 0), this.last);
    const { p = 0 } = steps[this.step].rows.find(({ chosen }) => chosen) ?? {};
    this.line.show(this.step, true);
    setText(this.text, textOrNothing(texts[this.step]));
    const place = placeOf(this.found, this.step);
    setText(this.verdict, `${place} it writes “${tokens[this.step]}”, ${percentText(p)}.`);
    this.bars.show(`Distribution ${place[0].toLowerCase()}${place.slice(1)}`, steps[this.step]);
    const end = finished ? "That is the end." : "The limit is reached without an end.";
    const all = `${end} All of it together: log P = ${signedText(total)}.`;
    setText(this.total, this.step < this.last ? "" : all);
    // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
    for (const button of [this.first, this.back])
      setAttribute(button, "aria-disabled", String(this.step === 0));
    setAttribute(this.next, "aria-disabled", String(this.step === this.last));
  }

  /** Goes to a step and shows it in the picture, too. @param {number} step */
  walk(step) {
    this.go(step);
    const { given, tokens } = this.found;
    followRow([...given, ...tokens.slice(0, this.step)]);
  }

  /** @param {number} at the position that is followed on the page */
  follow(at) {
    this.go(at - this.found.given.length + 1);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    this.walk(this.step === this.last ? 0 : this.step);
    setText(this.play, "Pause");
    this.timer = setInterval(() => {
      this.walk(this.step + 1);
      if (this.step === this.last || !this.node.isConnected) this.stop();
    }, PLAY_MS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    setText(this.play, "Play");
  }
}
