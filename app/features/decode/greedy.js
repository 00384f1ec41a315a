/** Shows greedy decoding step by step. */

import { html } from "../../components/shared/lit-html.js";
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

/** @import {DecodeData, DecodedText, Send} from "./types.js" */

const PLAY_MS = 900;
const LEAD =
  "At each step the decoder reads all words so far, gives a distribution over the " +
  "vocabulary, and writes the likeliest word. The next step reads that word, too.";

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
  /** @param {Send} send @param {() => void} show */
  constructor(send, show) {
    this.send = send;
    this.show = show;
    this.step = 0;
    this.timer = 0;
    this.found = NOTHING;
    this.line = new TokenLine("Tokens so far", (step) => {
      this.stop();
      this.walk(step);
    });
  }

  template() {
    const { step, last } = this;
    const { texts, tokens, steps, finished, log_probability: total } = this.found;
    const { p = 0 } = steps[step].rows.find(({ chosen }) => chosen) ?? {};
    const place = placeOf(this.found, step);
    const end = finished ? "That is the end." : "The limit is reached without an end.";
    const all = `${end} All of it together: log P = ${signedText(total)}.`;
    /** @param {string} label @param {() => void} run @param {boolean} isOff */
    const button = (label, run, isOff) => {
      const press = () => {
        this.stop();
        run();
      };
      // Not `disabled`: a focused button that becomes disabled loses the keyboard focus.
      return html`<button type="button" class="button" aria-disabled=${isOff}
        @click=${press}>${label}</button>`;
    };
    const verdict = `${place} it writes “${tokens[step]}”, probability ${probabilityText(p)}.`;
    return html`<div class="way">
      <p class="verdict" role="status">${verdict}</p>
      <div class="halves">
        <div class="told">
          <div class="buttons" role="group" aria-label="Steps">
            <button type="button" class="button primary"
              @click=${() => this.toggle()}>${this.timer ? "Pause" : "Play"}</button>
            ${button("First", () => this.walk(0), step === 0)}
            ${button("Back", () => this.walk(this.step - 1), step === 0)}
            ${button("Next", () => this.walk(this.step + 1), step === last)}
          </div>
          ${part(
            "Written so far",
            this.line.node,
            html`<output class="text">${textOrNothing(texts[step])}</output>
              <p class="hint">${step < last ? "" : all}</p>`,
            attentionLink(() => {
              this.stop();
              this.send({ type: "attention", step: this.step });
            }),
          )}
        </div>
        ${part(
          "What it chose from",
          bars(`Distribution ${place[0].toLowerCase()}${place.slice(1)}`, steps[step]),
        )}
      </div>
      <p class="lead">${inUnits(LEAD)}</p>
    </div>`;
  }

  /** @param {DecodeData} data */
  take({ greedy }) {
    if (!greedy) return;
    this.found = greedy;
    this.go(this.step);
  }

  get last() {
    return this.found.tokens.length - 1;
  }

  /** @param {number} step */
  go(step) {
    const { given, tokens } = this.found;
    this.step = Math.min(Math.max(step, 0), this.last);
    this.line.show({ given, tokens, at: this.step, isHidden: true });
    this.show();
  }

  /** Goes to a step and follows it in the picture. @param {number} step */
  walk(step) {
    this.go(step);
    const { given, tokens } = this.found;
    followRow([...given, ...tokens.slice(0, this.step)]);
  }

  /** @param {number} at the position followed on the page */
  follow(at) {
    this.go(at - this.found.given.length + 1);
  }

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    this.timer = setInterval(() => {
      this.walk(this.step + 1);
      if (this.step === this.last || !this.line.node.isConnected) this.stop();
    }, PLAY_MS);
    this.walk(this.step === this.last ? 0 : this.step);
  }

  stop() {
    clearInterval(this.timer);
    if (!this.timer) return;
    this.timer = 0;
    this.show();
  }
}
