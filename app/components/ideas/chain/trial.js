/**
 * A number on trial: the curve of the loss when it alone moves, the straight line of its gradient,
 * and a dot to drag along the curve, beside what the line had said.
 */

import { make, makeSvg, setAttribute, setText } from "../../shared/dom.js";
import { scientificText } from "../../shared/number_format.js";
import { asHandle, sayHandle } from "../handle.js";

/**
 * @typedef {object} Trial
 * @property {number} loss @property {number[]} steps @property {number[]} changes
 * @property {number} least change of the loss that means anything
 */

const [WIDTH, HEIGHT] = [520, 200];
const [LEFT, RIGHT, TOP, BOTTOM] = [10, 10, 12, 24];
const BEGIN = 0.01; // the step that is shown first
const BUTTONS = [0.01, 0.1, 1];
const [CLOSE, NEAR] = [0.1, 0.5]; // shares by which trial and gradient differ

export class TrialView {
  constructor() {
    this.trial = /** @type {Trial | null} */ (null);
    this.gradient = 0;
    this.at = -1;
    this.step = BEGIN; // what was chosen, also by those numbers that it is not tried at
    this.curve = makeSvg("path", { class: "curve" });
    this.line = makeSvg("path", { class: "tangent" });
    this.gap = makeSvg("path", { class: "gap" });
    this.zero = makeSvg("path", { class: "zero" });
    this.here = makeSvg("circle", { class: "here", r: 4 });
    this.dot = makeSvg("circle", { class: "dot", r: 8 });
    this.ends = [0, 1, 2].map((k) =>
      makeSvg("text", {
        class: "faint",
        y: HEIGHT - 6,
        "text-anchor": ["start", "middle", "end"][k],
      }),
    );
    this.grip = asHandle(makeSvg("g", {}, makeSvg("circle", { class: "hit", r: 22 }), this.dot), {
      value: () => this.at,
      at: (event) => this.nearest(event),
      step: () => 1,
      set: (index) => this.go(index),
    });
    this.svg = makeSvg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
      ...[this.zero, this.curve, this.line, this.gap, this.here, ...this.ends, this.grip],
    );
    this.buttons = BUTTONS.map((step) =>
      make(
        "button",
        { type: "button", class: "button", onclick: () => this.goTo(step) },
        `+${step}`,
      ),
    );
    this.moved = make("span", { class: "number" });
    this.found = make("strong", { class: "number" });
    this.said = make("strong", { class: "number" });
    this.product = make("span", { class: "muted number" });
    this.verdict = make("p", { class: "verdict" });
    this.node = make(
      "div",
      { class: "trial" },
      make(
        "figure",
        {},
        this.svg,
        make(
          "figcaption",
          { class: "key" },
          make("span", {}, make("i", { class: "of-curve" }), "the loss, computed anew everywhere"),
          make("span", {}, make("i", { class: "of-line" }), "what the gradient says"),
        ),
      ),
      make(
        "div",
        { class: "answer" },
        make("p", { class: "row" }, "Move it by ", ...this.buttons, this.moved),
        make(
          "dl",
          {},
          make("dt", {}, "the loss, computed anew"),
          make("dd", {}, this.found),
          make("dt", {}, "the gradient said"),
          make("dd", {}, this.said, this.product),
        ),
        this.verdict,
      ),
    );
  }

  /** @param {Trial | null} trial @param {number} gradient @param {string} name */
  show(trial, gradient, name) {
    this.node.classList.toggle("waits", !trial);
    if (!trial) return;
    const isSame = trial === this.trial;
    Object.assign(this, { trial, gradient, name });
    if (!isSame) this.goTo(this.step);
  }

  /** To the step nearest to one. @param {number} step */
  goTo(step) {
    const { steps } = /** @type {Trial} */ (this.trial);
    let best = 0;
    for (const [k, each] of steps.entries())
      if (Math.abs(each - step) < Math.abs(steps[best] - step)) best = k;
    this.step = step;
    this.draw(best);
  }

  /** @param {number} index */
  go(index) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const at = Math.min(steps.length - 1, Math.max(0, Math.round(index)));
    this.step = steps[at];
    this.draw(at);
  }

  /** The index of the step under the pointer. @param {PointerEvent} event */
  nearest({ clientX }) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const { left, width } = this.svg.getBoundingClientRect();
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

  /** @param {number} at */
  draw(at) {
    const { steps, changes, least } = /** @type {Trial} */ (this.trial);
    this.at = at;
    const low = Math.min(0, ...changes);
    const span = Math.max(0, ...changes) - low || 1;
    /** @param {number} change */
    const y = (change) => HEIGHT - BOTTOM - ((change - low) / span) * (HEIGHT - TOP - BOTTOM);
    /** @param {number} change within the picture */
    const within = (change) => Math.min(HEIGHT - BOTTOM + 8, Math.max(2, y(change)));
    const before = steps.filter((step) => step < 0).length;
    const points = steps.map((step, k) => [step, changes[k]]);
    points.splice(before, 0, [0, 0]);
    const path = points.map(
      ([step, change]) => `${this.x(step).toFixed(2)} ${y(change).toFixed(2)}`,
    );
    setAttribute(this.curve, "d", `M${path.join("L")}`);
    setAttribute(this.line, "d", this.straight(y));
    const [step, change] = [steps[at], changes[at]];
    const said = this.gradient * step;
    const x = this.x(step).toFixed(2);
    setAttribute(this.gap, "d", `M${x} ${y(change).toFixed(2)}V${within(said).toFixed(2)}`);
    setAttribute(this.zero, "d", `M${this.x(0)} ${TOP}V${HEIGHT - BOTTOM + 6}`);
    for (const node of [this.here]) {
      setAttribute(node, "cx", this.x(0));
      setAttribute(node, "cy", y(0));
    }
    setAttribute(this.grip, "transform", `translate(${x} ${y(change).toFixed(2)})`);
    const ends = [steps[0], 0, steps[steps.length - 1]];
    for (const [k, node] of this.ends.entries()) {
      setAttribute(node, "x", this.x(ends[k]));
      setText(node, k === 1 ? "as it is" : signed(ends[k], String));
    }
    const isLost = Math.abs(change) < least && Math.abs(said) < least;
    setText(this.moved, signed(step, String));
    setText(this.found, isLost ? "no change to be seen" : signed(change, plain));
    setText(this.said, signed(said, plain));
    setText(this.product, ` = ${plain(this.gradient)} × ${signed(step, String)}`);
    const verdict = isLost ? "So small a change is lost in the rounding." : judged(change, said);
    setText(this.verdict, verdict);
    for (const [k, button] of this.buttons.entries()) {
      setAttribute(button, "aria-pressed", String(step === BUTTONS[k]));
      button.hidden = !steps.includes(BUTTONS[k]);
    }
    const told = `${signed(step, String)}: the loss ${signed(change, plain)}, the gradient said `;
    sayHandle(this.grip, "the number on trial, moved by", step, told + signed(said, plain));
  }

  /** The line of the gradient, as far as it is in the picture. @param {(x: number) => number} y */
  straight(y) {
    const { steps } = /** @type {Trial} */ (this.trial);
    const [bottom, top] = [HEIGHT - BOTTOM + 8, 2];
    /** @param {number} step how far it goes before it leaves the picture */
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
  if (share <= CLOSE) return `They agree, but for ${percent}.`;
  if (share <= NEAR)
    return `They begin to part, by ${percent}: the curve bends away from the line.`;
  const way = change * said < 0 ? "It even goes the other way: a" : "A";
  const why = "gradient is the slope where the number stands, good for small steps.";
  return `They disagree. ${way} ${why}`;
}

/** Three digits without an exponent, as the sentence above has them. @param {number} x */
function plain(x) {
  if (x && (Math.abs(x) < 1e-7 || Math.abs(x) >= 1e6)) return scientificText(x, 1);
  const digits = x ? Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x)))) : 0;
  return String(x.toFixed(digits)).replace("-", "−");
}

/** @param {number} x @param {(x: number) => string} text */
function signed(x, text) {
  const said = text(Math.abs(x));
  return `${x < 0 ? "−" : "+"}${said}`;
}
