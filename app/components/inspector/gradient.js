/**
 * The gradient of the loss with respect to the selected cell. It follows the board while gradients
 * are shown there.
 */

import { withNames } from "../shared/cell_name.js";
import { make, setText } from "../shared/dom.js";
import { typeset } from "../shared/katex.js";
import { MINUS, scientificText } from "../shared/number_format.js";
import { Operands } from "./operands.js";
import { StripDrawing } from "./strips.js";

/** @import {CellDetails, GradientDetails, Send} from "./types.js" */

const REST = 200; // ms without a change before Python is asked
const NUDGE = 0.01;
const LOSS = "output.loss";
const BENT = "The gradient is the slope of the tangent: over this step the loss bends.";

export class Gradient {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.symbol = make("span", { class: "symbol" });
    this.value = make("strong", { class: "derivative" });
    this.number = make("p", { class: "derivative-line" }, this.symbol, this.value);
    this.sentence = make("p", {});
    this.exact = make("p", { class: "small" });
    this.loss = make("p", { class: "small" });
    this.compute = make(
      "button",
      { type: "button", class: "button", onclick: () => this.ask(true) },
      "Compute gradient",
    );
    this.about = make("p", { class: "note" }, "This model is large: it takes a moment.");
    this.offer = make("div", {}, this.compute, this.about);
    this.lines = make("div", {
      class: "arithmetic",
      role: "group",
      "aria-label": "arithmetic of the gradient",
    });
    this.result = make("strong", { class: "result" });
    this.numbers = make("span");
    this.strips = new StripDrawing();
    this.still = make("p", { class: "note" }, "As it was before the number began to swing.");
    this.note = make("p", { class: "note" });
    this.operands = new Operands("The cells the gradient came from");
    this.node = make(
      "section",
      { class: "gradient" },
      make("h2", {}, "Gradient"),
      this.still,
      this.number,
      this.sentence,
      this.exact,
      this.loss,
      this.offer,
      this.lines,
      this.strips.node,
      this.note,
      this.operands.node,
    );
    this.of = /** @type {CellDetails} */ ({});
    this.known = /** @type {GradientDetails} */ ({});
    this.moving = false;
    this.timer = 0;
    this.show();
  }

  /** @param {CellDetails} of the cell */
  take(of) {
    const same = of.path === this.of.path && of.i === this.of.i && of.j === this.of.j;
    this.of = of;
    if (!same) this.known = {};
    this.node.classList.toggle("stale", same);
    clearTimeout(this.timer);
    if (of.path) this.timer = setTimeout(() => this.ask(false), REST);
    this.show();
  }

  /** Asks for a new gradient after any change, because any number of the model can affect it. */
  renew() {
    if (this.of.path) this.take(this.of);
  }

  /** @param {boolean} now even if it is slow */
  ask(now) {
    if (!this.moving) this.send({ type: "gradient", now });
  }

  /** @param {GradientDetails} known the gradient of a cell, from Python */
  answered(known) {
    if (known.path !== this.of.path || known.i !== this.of.i || known.j !== this.of.j) return;
    this.node.classList.remove("stale");
    this.known = known;
    typeset(this.symbol, known.symbol ? `${known.symbol} =` : "");
    const { arithmetic: [name = "", symbols = "", numbers = symbols] = [] } = known;
    setText(this.numbers, ` ${numbers}`);
    this.lines.replaceChildren(
      make("p", {}, this.result, this.numbers),
      known.strips ? "" : make("p", { class: "symbols" }, ...withNames(`${name} ${symbols}`)),
    );
    this.strips.take(known.strips ?? null, "the gradient");
    this.operands.take(known.operands ?? [], known.more_operands);
    setText(this.note, known.note ?? "");
    this.show();
  }

  /** @param {boolean} on */
  swinging(on) {
    this.moving = on;
    if (!on) this.renew();
    this.show();
  }

  /** Returns the loss on the board, or else the last one from Python. */
  lossNow() {
    const board = window.tinkerformer;
    return (board?.ready ? board.value(LOSS, 0, 0) : undefined) ?? this.known.loss;
  }

  /** Returns the gradient on the board, or else the last one from Python. */
  now() {
    return this.drawn() ?? this.known.value;
  }

  /** Returns the gradient that the board shows. */
  drawn() {
    const { path, i = 0, j = 0 } = this.of;
    const board = window.tinkerformer;
    return path && board?.ready ? board.gradient(path, i, j) : undefined;
  }

  show() {
    const g = this.now() ?? Number.NaN;
    const { known, moving } = this;
    const isKnown = !Number.isNaN(g);
    // Hide the section until something is known.
    this.node.hidden = !this.of.path || !(isKnown || known.costly || known.note);
    if (this.node.hidden) return;
    // While a number oscillates, only a board that shows gradients has the current one.
    const isStill = moving && this.drawn() === undefined;
    this.node.classList.toggle("still", isStill);
    this.still.hidden = !isStill;
    this.number.hidden = this.sentence.hidden = !isKnown;
    this.offer.hidden = !known.costly || isKnown;
    const full = !moving;
    this.lines.hidden = !full || !known.arithmetic;
    this.strips.node.hidden = !full || !known.strips;
    this.note.hidden = !full || !known.note;
    this.operands.node.hidden = !full || !known.operands?.length;
    this.exact.hidden = !full || !known.exact;
    if (!isKnown) return;
    const loss = this.lossNow();
    this.loss.hidden = typeof loss !== "number";
    const right = known.right ? ` (right here: ${known.right})` : "";
    if (typeof loss === "number") setText(this.loss, `loss now: ${loss.toFixed(4)}${right}`);
    setText(this.value, scientificText(g, 2));
    setText(this.sentence, derivativeSentence(g));
    setText(this.result, scientificText(g, 2));
    if (known.exact) {
      const [up, down] = known.exact.map(signedText);
      const bends = isBent(g * NUDGE, known.exact) ? `. ${BENT}` : "";
      setText(this.exact, `computed again: ${up} if raised, ${down} if lowered${bends}`);
    }
  }
}

/** Explains a gradient in a sentence with its actual numbers. @param {number} g */
function derivativeSentence(g) {
  if (g === 0) return "Moving this number a little leaves the loss as it is.";
  const change = `${g < 0 ? "falls" : "rises"} by about ${sizeText(Math.abs(g) * NUDGE)}`;
  return `Raise this number by ${NUDGE} and the loss ${change}.`;
}

/**
 * Whether the loss is clearly nonlinear: it moves the other way, or more than twice or less than
 * half as far, than the slope predicts.
 * @param {number} rise the predicted change @param {[raised: number, lowered: number]} exact
 */
export const isBent = (rise, [raised, lowered]) =>
  [raised / rise, -lowered / rise].some((share) => !(share >= 0.5 && share <= 2));

/**
 * Formats a nonnegative number with two digits; very small ones with an exponent.
 * @param {number} x not negative
 */
function sizeText(x) {
  return x < 1e-6 ? scientificText(x, 1) : String(Number(x.toPrecision(2)));
}

/** @param {number} x */
const signedText = (x) => `${x < 0 ? MINUS : "+"}${sizeText(Math.abs(x))}`;
