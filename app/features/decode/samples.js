/**
 * Shows the samples of several seeds, and one of them step by step, with the distribution before
 * and after filtering.
 */

import { html, nothing } from "../../components/shared/lit-html.js";
import { probabilityText } from "../../components/shared/number_format.js";
import { inUnits } from "../../components/shared/units.js";
import { bars } from "./bars.js";
import {
  attentionLink,
  followRow,
  part,
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
  "is cut (hatched), and what is left is scaled to sum to 1. All other parts of the page show " +
  "the probabilities that the model predicts, at a temperature of 1.";

/** Returns the captions of the probabilities. @param {number} temperature of the sampling */
const names = (temperature) => ({
  before: "as predicted",
  after: `drawn from${heated(temperature)}`,
  chosen: "drawn",
});

/** Returns words for the temperature; empty if it is 1. @param {number} temperature */
const heated = (temperature) => (temperature === 1 ? "" : ` at temperature ${temperature}`);

/** Describes the drawn token. @param {SampledText} sample @param {number} step */
export function verdict(sample, step) {
  const { q = 0 } = sample.steps[step].rows.find(({ chosen }) => chosen) ?? {};
  const drawn = `“${sample.tokens[step]}”, probability ${probabilityText(q)}`;
  return `${placeOf(sample, step)} it drew ${drawn}.`;
}

export class SamplesView {
  /** @param {Send} send @param {() => void} show */
  constructor(send, show) {
    this.send = send;
    this.show = show;
    this.at = 0;
    this.step = 0;
    this.samples = /** @type {SampledText[]} */ ([]);
    this.line = new TokenLine("Tokens of the sample", (step) => this.walk(step));
  }

  template() {
    const { samples, at, step } = this;
    const { temperature, steps } = samples[at];
    const { rows, others } = steps[step];
    const { p = 0, q = 0 } = rows.find(({ chosen }) => chosen) ?? {};
    const cut = rows.filter((row) => row.cut).length + (others.cut ?? 0);
    const place = placeOf(samples[at], step);
    const different = new Set(samples.map(({ ids }) => ids.join())).size;
    return html`<div class="way">
      <p class="verdict" role="status">${verdict(samples[at], step)}</p>
      <div class="halves">
        ${part(
          "What it was drawn from",
          bars(`${place}, before and after filtering`, { rows, others }, names(temperature)),
        )}
        ${part(
          "One sample for each seed",
          html`<ul class="samples" role="list">${samples.map((each, k) => this.item(each, k))}</ul>
            <p class="hint">${different} different ${different === 1 ? "text" : "texts"} in
              ${samples.length} samples. log P is that of the model itself, at temperature 1 and
              before filtering.</p>`,
        )}
        ${part(
          "Tokens of the chosen sample",
          this.line.node,
          html`<p class="hint">Predicted with ${probabilityText(p)}, drawn with
            ${probabilityText(q)}${heated(temperature)};
            ${cut} of ${rows.length + others.count} words cut.</p>`,
          attentionLink(() => this.send({ type: "attention", sample: this.at, step: this.step })),
        )}
      </div>
      <p class="lead">${inUnits(LEAD)}</p>
    </div>`;
  }

  /** @param {SampledText} sample @param {number} at */
  item({ seed, texts, finished, log_probability: total }, at) {
    return html`<li><button type="button" class="sample" aria-pressed=${at === this.at}
      @click=${() => this.choose(at)}><span class="seed">seed ${seed}</span
      ><span class="what">${textOrNothing(texts.at(-1) ?? "")}${
        finished ? nothing : html`<span class="mark">no end</span>`
      }</span><span class="number">log P ${signedText(total)}</span></button></li>`;
  }

  /** @param {DecodeData} data */
  take({ sample: samples }) {
    if (!samples) return;
    this.samples = samples;
    this.choose(Math.min(this.at, samples.length - 1));
  }

  /** @param {number} at */
  choose(at) {
    this.at = at;
    this.go(this.step);
  }

  /** @param {number} step */
  go(step) {
    const { given, tokens } = this.samples[this.at];
    this.step = Math.min(Math.max(step, 0), tokens.length - 1);
    this.line.show({ given, tokens, at: this.step });
    this.show();
  }

  /** Goes to a step and follows it in the picture. @param {number} step */
  walk(step) {
    this.go(step);
    const { given, tokens } = this.samples[this.at];
    followRow([...given, ...tokens.slice(0, this.step)]);
  }

  /** Goes to the nearest step after the word that the page follows, if any. @param {number} at */
  follow(at) {
    const sample = this.samples[this.at];
    if (!sample) return;
    const { given, tokens } = sample;
    const word = window.tinkerformer?.matrix("target.embedding")?.row_labels?.[at];
    const read = [...given, ...tokens.slice(0, -1)]; // the token before each step
    const places = [...read.keys()].filter((k) => k >= given.length - 1 && read[k] === word);
    const nearest = places.sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
    this.go((nearest[0] ?? given.length - 1) - given.length + 1);
  }
}
