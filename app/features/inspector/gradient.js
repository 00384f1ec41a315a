/**
 * Shows the gradient of the loss with respect to the selected cell. While the board shows
 * gradients, the value is read from the board.
 */

import { withNames } from "../../components/shared/cell_name.js";
import { make } from "../../components/shared/dom.js";
import { typeset } from "../../components/shared/katex.js";
import { html, nothing } from "../../components/shared/lit-html.js";
import { MINUS, scientificText } from "../../components/shared/number_format.js";
import { classes, FromTemplate } from "../../components/shared/template.js";
import { operandBox } from "./operands.js";
import { StripDrawing } from "./strips.js";

/** @import {CellDetails, GradientDetails, Send} from "./types.js" */

const REST = 200; // ms without a change before the gradient is requested from Python
const NUDGE = 0.01;
const LOSS = "output.loss";
const CAME_FROM = "The cells the gradient came from";
const BENT = "The gradient is the slope of the tangent: over this step the loss bends.";

export class Gradient extends FromTemplate {
  /** @param {Send} send */
  constructor(send) {
    super();
    this.send = send;
    this.of = /** @type {CellDetails} */ ({});
    this.known = /** @type {GradientDetails} */ ({});
    this.moving = false;
    this.timer = 0;
    this.isStale = false;
    this.symbol = make("span", { class: "symbol" });
    this.strips = new StripDrawing();
  }

  template() {
    const { known, moving } = this;
    const g = this.now() ?? Number.NaN;
    const isKnown = !Number.isNaN(g);
    // Hide the section until there is something to show.
    const isHidden = !this.of.path || !(isKnown || known.costly || known.note);
    // While a number oscillates, only a board that shows gradients has the current value.
    const isStill = moving && this.drawn() === undefined;
    const loss = this.lossNow();
    const right = known.right ? ` (right here: ${known.right})` : "";
    const { arithmetic: [name = "", symbols = "", numbers = symbols] = [] } = known;
    this.strips.node.hidden = moving || !known.strips;
    return html`<section class=${classes("gradient", this.isStale && "stale", isStill && "still")}
      ?hidden=${isHidden}>
      <h2>Gradient</h2>
      <p class="note" ?hidden=${!isStill}>From before the number began to oscillate.</p>
      <p class="derivative-line" ?hidden=${!isKnown}>${this.symbol}<strong class="derivative"
        >${isKnown ? scientificText(g, 2) : ""}</strong></p>
      <p ?hidden=${!isKnown}>${isKnown ? derivativeSentence(g) : ""}</p>
      <p class="small" ?hidden=${moving || !known.exact}>${exactText(g, known.exact)}</p>
      <p class="small" ?hidden=${typeof loss !== "number"}>loss now: ${loss?.toFixed(4)}${right}</p>
      <div ?hidden=${!known.costly || isKnown}>
        <button type="button" class="button"
          @click=${() => this.ask(true)}>Compute gradient</button>
        <p class="note">This model is large: it takes a moment.</p>
      </div>
      <div class="arithmetic" role="group" aria-label="arithmetic of the gradient"
        ?hidden=${moving || !known.arithmetic}>
        <p><strong class="result">${isKnown ? scientificText(g, 2) : ""}</strong><span
          > ${numbers}</span></p>
        ${known.strips ? nothing : html`<p class="symbols">${withNames(`${name} ${symbols}`)}</p>`}
      </div>
      ${this.strips.node}
      <p class="note" ?hidden=${moving || !known.note}>${known.note}</p>
      ${operandBox(moving ? [] : known.operands, known.more_operands, CAME_FROM)}
    </section>`;
  }

  /** @param {CellDetails} of the cell */
  take(of) {
    const same = of.path === this.of.path && of.i === this.of.i && of.j === this.of.j;
    this.of = of;
    if (!same) this.known = {};
    this.isStale = same;
    clearTimeout(this.timer);
    if (of.path) this.timer = setTimeout(() => this.ask(false), REST);
    this.draw();
  }

  /** Requests the gradient again: any number of the model can affect it. */
  renew() {
    if (this.of.path) this.take(this.of);
  }

  /** @param {boolean} now whether to compute the gradient even if that is slow */
  ask(now) {
    if (!this.moving) this.send({ type: "gradient", now });
  }

  /** @param {GradientDetails} known the gradient of a cell, from Python */
  answered(known) {
    if (known.path !== this.of.path || known.i !== this.of.i || known.j !== this.of.j) return;
    this.isStale = false;
    this.known = known;
    typeset(this.symbol, known.symbol ? `${known.symbol} =` : "");
    this.strips.take(known.strips ?? null, "the gradient");
    this.draw();
  }

  /** @param {boolean} on */
  swinging(on) {
    this.moving = on;
    if (!on) this.renew();
    this.draw();
  }

  /** Returns the loss on the board, or else the last loss from Python. */
  lossNow() {
    const board = window.tinkerformer;
    return (board?.ready ? board.value(LOSS, 0, 0) : undefined) ?? this.known.loss;
  }

  /** Returns the gradient on the board, or else the last gradient from Python. */
  now() {
    return this.drawn() ?? this.known.value;
  }

  /** Returns the gradient that the board shows. */
  drawn() {
    const { path, i = 0, j = 0 } = this.of;
    const board = window.tinkerformer;
    return path && board?.ready ? board.gradient(path, i, j) : undefined;
  }
}

/**
 * Returns a sentence with the changes of the loss, computed with the cell raised and lowered.
 * @param {number} g @param {[raised: number, lowered: number] | null} [exact]
 */
function exactText(g, exact) {
  if (!exact) return "";
  const [up, down] = exact.map(signedText);
  const bends = isBent(g * NUDGE, exact) ? `. ${BENT}` : "";
  return `computed again: ${up} if raised, ${down} if lowered${bends}`;
}

/** Explains a gradient in a sentence with its numbers. @param {number} g */
function derivativeSentence(g) {
  if (g === 0) return "Moving this number a little does not change the loss.";
  const does = g < 0 ? "lowers" : "raises";
  const size = sizeText(Math.abs(g) * NUDGE);
  return `By the gradient, raising this number by ${NUDGE} ${does} the loss by about ${size}.`;
}

/**
 * Returns whether the loss is clearly nonlinear: a computed change has the wrong sign, or is less
 * than half or more than twice the change that the slope predicts.
 * @param {number} rise the predicted change @param {[raised: number, lowered: number]} exact
 */
export const isBent = (rise, [raised, lowered]) =>
  [raised / rise, -lowered / rise].some((share) => !(share >= 0.5 && share <= 2));

/** Formats a nonnegative number with two digits, or an exponent. @param {number} x */
function sizeText(x) {
  return x < 1e-6 ? scientificText(x, 1) : String(Number(x.toPrecision(2)));
}

/** @param {number} x */
const signedText = (x) => `${x < 0 ? MINUS : "+"}${sizeText(Math.abs(x))}`;
