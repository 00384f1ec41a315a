/**
 * Draws a trial of a number: the curve of the loss when only that number moves, the straight line
 * predicted by its gradient, and a dot to drag along the curve.
 */

import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { fixed, scientificText } from "../../components/shared/number_format.js";
import { FromTemplate } from "../../components/shared/template.js";
import { valueNow } from "../kit/handle.js";

/**
 * @import {Grip} from "../kit/handle.js"
 *
 * @typedef {object} Trial
 * @property {number} loss @property {number[]} steps @property {number[]} changes
 * @property {number} least the least change of the loss above rounding errors
 */

const [WIDTH, HEIGHT] = [520, 200];
const [LEFT, RIGHT, TOP, BOTTOM] = [10, 10, 12, 24];
const BEGIN = 0.01; // the initial step
const BUTTONS = [0.01, 0.1, 1];
const [CLOSE, NEAR] = [0.1, 0.5]; // bounds on the relative difference of trial and gradient

export class TrialView extends FromTemplate {
  constructor() {
    super();
    this.trial = /** @type {Trial | null} */ (null);
    this.gradient = 0;
    this.at = -1;
    this.waits = true;
    this.step = BEGIN; // the chosen step, kept when a number has no trial at this step
  }

  template() {
    const { trial, at, gradient } = this;
    const { steps, changes, least } = trial ?? { steps: [0], changes: [0], least: 0 };
    const [step, change] = [steps[at] ?? 0, changes[at] ?? 0];
    const said = gradient * step;
    const isLost = Math.abs(change) < least && Math.abs(said) < least;
    const verdict = isLost
      ? "This change is so small that rounding hides it."
      : judged(change, said);
    const told = `${signed(step, String)}: the loss ${signed(change, plain)}, the gradient said `;
    return html`<div class=${this.waits ? "trial waits" : "trial"}>
      <figure>
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${
          trial ? this.picture(trial, told + signed(said, plain)) : nothing
        }</svg>
        <figcaption class="key">
          <span><i class="of-curve"></i>the loss, recomputed everywhere</span>
          <span><i class="of-line"></i>what the gradient says</span>
        </figcaption>
      </figure>
      <div class="answer">
        <p class="row">Move it by ${BUTTONS.map(
          (each) => html`<button type="button" class="button" aria-pressed=${step === each}
            ?hidden=${!steps.includes(each)} @click=${() => this.goTo(each)}>+${each}</button>`,
        )}<span class="number">${signed(step, String)}</span></p>
        <dl>
          <dt>the loss, recomputed</dt>
          <dd><strong class="number"
            >${isLost ? "no change to be seen" : signed(change, plain)}</strong></dd>
          <dt>the gradient said</dt>
          <dd><strong class="number">${signed(said, plain)}</strong><span class="muted number"
            > = ${plain(gradient)} × ${signed(step, String)}</span></dd>
        </dl>
        <p class="verdict">${verdict}</p>
      </div>
    </div>`;
  }

  /** @param {Trial} trial @param {string} said for screen readers, about the chosen step */
  picture({ steps, changes }, said) {
    const low = Math.min(0, ...changes);
    const span = Math.max(0, ...changes) - low || 1;
    /** @param {number} change */
    const y = (change) => HEIGHT - BOTTOM - ((change - low) / span) * (HEIGHT - TOP - BOTTOM);
    /** Clips y to the picture. @param {number} change */
    const within = (change) => Math.min(HEIGHT - BOTTOM + 8, Math.max(2, y(change)));
    const points = steps.map((step, k) => [step, changes[k]]);
    points.splice(steps.filter((step) => step < 0).length, 0, [0, 0]);
    const path = points.map((each) => `${this.x(each[0]).toFixed(2)} ${y(each[1]).toFixed(2)}`);
    const [step, change] = [steps[this.at], changes[this.at]];
    const [x, top] = [this.x(step).toFixed(2), y(change).toFixed(2)];
    /** @type {Grip} */
    const grip = {
      value: () => this.at,
      at: (event) => this.nearest(event),
      step: 1,
      set: (index) => this.go(index),
    };
    const zero = this.x(0);
    const ends = /** @type {const} */ ([
      [steps[0], "start"],
      [0, "middle"],
      [steps[steps.length - 1], "end"],
    ]);
    return svg`<path class="zero" d="M${zero} ${TOP}V${HEIGHT - BOTTOM + 6}"></path>
      <path class="curve" d="M${path.join("L")}"></path>
      <path class="tangent" d=${this.straight(y)}></path>
      <path class="gap" d="M${x} ${top}V${within(this.gradient * step).toFixed(2)}"></path>
      <circle class="here" r="4" cx=${zero} cy=${y(0)}></circle>
      ${ends.map(
        ([end, anchor]) => svg`<text class="faint" y=${HEIGHT - 6} x=${this.x(end)}
          text-anchor=${anchor}>${end ? signed(end, String) : "as it is"}</text>`,
      )}
      <g class="handle" role="slider" tabindex="0" transform="translate(${x} ${top})" .grip=${grip}
        aria-label="the number on trial, moved by" aria-valuenow=${valueNow(step)}
        aria-valuetext=${said}>
        <circle class="hit" r="22"></circle><circle class="dot" r="8"></circle>
      </g>`;
  }

  /** @param {Trial | null} trial @param {number} gradient */
  show(trial, gradient) {
    const isNew = trial && trial !== this.trial;
    this.waits = !trial;
    if (trial) Object.assign(this, { trial, gradient });
    if (isNew) this.goTo(this.step);
    else this.draw();
  }

  /** Goes to the tried step that is nearest to a step. @param {number} step */
  goTo(step) {
    const { steps } = /** @type {Trial} */ (this.trial);
    let best = 0;
    for (const [k, each] of steps.entries())
      if (Math.abs(each - step) < Math.abs(steps[best] - step)) best = k;
    this.step = step;
    this.at = best;
    this.draw();
  }

  /** @param {number} index */
  go(index) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const at = Math.min(steps.length - 1, Math.max(0, Math.round(index)));
    this.step = steps[at];
    this.at = at;
    this.draw();
  }

  /** Returns the index of the step under the pointer. @param {PointerEvent} event */
  nearest({ clientX }) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const { left, width } = /** @type {SVGElement} */ (
      this.node.querySelector("svg")
    ).getBoundingClientRect();
    const x = ((clientX - left) / width) * WIDTH;
    const apart = steps.map((step) => Math.abs(this.x(step) - x));
    return apart.indexOf(Math.min(...apart));
  }

  /** @param {number} step */
  x(step) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const [low, high] = [Math.min(0, steps[0]), Math.max(0, steps[steps.length - 1])];
    return LEFT + ((step - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT);
  }

  /** Returns the tangent at 0, clipped to the picture. @param {(x: number) => number} y */
  straight(y) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const [bottom, top] = [HEIGHT - BOTTOM + 8, 2];
    /** @param {number} step the end of the line before clipping */
    const end = (step) => {
      const at = y(this.gradient * step);
      const limit = Math.max(top, Math.min(at, bottom));
      const share = at === y(0) ? 1 : (limit - y(0)) / (at - y(0));
      return `${this.x(share * step).toFixed(2)} ${limit.toFixed(2)}`;
    };
    return `M${end(Math.min(0, steps[0]))}L${end(Math.max(0, steps[steps.length - 1]))}`;
  }
}

/** @param {number} change @param {number} said */
function judged(change, said) {
  const share = Math.abs(change - said) / Math.max(Math.abs(change), Math.abs(said), 1e-300);
  const percent = `${Math.max(1, Math.round(100 * share))} %`;
  if (share < 0.005) return "They agree.";
  if (share <= CLOSE) return `They agree within ${percent}.`;
  if (share <= NEAR) return `They differ by ${percent}: the curve bends away from the line.`;
  const way = change * said < 0 ? "It even goes the other way: a" : "A";
  const why = "gradient is the slope at the present value, good for small steps.";
  return `They disagree. ${way} ${why}`;
}

/** Formats a number with three digits, if possible without an exponent. @param {number} x */
function plain(x) {
  if (x && (Math.abs(x) < 1e-7 || Math.abs(x) >= 1e6)) return scientificText(x, 1);
  const digits = x ? Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x)))) : 0;
  return fixed(x, digits);
}

/** @param {number} x @param {(x: number) => string} text */
function signed(x, text) {
  const said = text(Math.abs(x));
  return `${x < 0 ? "−" : "+"}${said}`;
}
