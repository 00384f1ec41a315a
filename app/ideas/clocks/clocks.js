/** Draws positions as clocks: the hands turn with the position, each at its own speed. */

import { asControl } from "../../components/shared/control.js";
import { oncePerFrame } from "../../components/shared/dom.js";
import { html, nothing, svg } from "../../components/shared/lit-html.js";
import { onChange } from "../../components/shared/model.js";
import { fixed } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { FromTemplate } from "../../components/shared/template.js";
import { valueNow, withHandles } from "../kit/handle.js";
import { slide } from "../kit/slide.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 * @import {Grip, Press, Start} from "../kit/handle.js"
 *
 * @typedef {object} ClocksData
 * @property {number[]} speeds the angle in radians by which each hand turns per position
 * @property {number[]} pairs the index of each hand's sine-cosine pair @property {number} all pairs
 * @property {boolean} single whether the last pair has no cosine
 * @property {number} position @property {number} shift @property {number} last position
 * @property {[label: string, position: number, moved: boolean][]} tokens
 * @property {string[]} turns the shift's angle on each dial @property {string} unit of positions
 *
 * @typedef {"position" | "shift"} What
 */

const FARTHEST = 10000;
const RADIUS = 46;
const FEW = 10; // the most dials that are large and fully labeled

/** @param {Component<{data: ClocksData}>} component */
export function render({ model }) {
  const clocks = new ClocksView(model);
  onChange(model, ["data"], () => clocks.take());
  clocks.take();
  return asControl(model, withHandles(clocks.node));
}

class ClocksView extends FromTemplate {
  /** @param {Component<{data: ClocksData}>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.sender = new Paced(model);
    this.now = { position: 0, shift: 0 };
    this.turned = { start: /** @type {Start | null} */ (null), at: 0, sum: 0 };
    this.width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      this.width = contentRect.width;
      this.later();
    }).observe(/** @type {Element} */ (this.node.querySelector(".track")));
    this.later = oncePerFrame(() => this.draw());
  }

  template() {
    const { position, shift } = this.now;
    const { tokens = [], speeds = [], last } = this.model.data;
    const farthest = Math.min(last, 100);
    const word = (/** @type {number} */ at) => {
      const found = tokens.find(([, where]) => where === at);
      return found ? `, “${found[0]}”` : "";
    };
    const sign = shift < 0 ? `p − ${-shift}` : `p + ${shift}`;
    const isFew = speeds.length <= FEW;
    const later = position + shift;
    return html`<section class="control idea" aria-label="Positions as clocks">
      ${this.slide("position", "position p", [0, last])}
      <svg class="track" aria-hidden="true">${this.width && tokens ? this.track() : nothing}</svg>
      ${this.slide("shift", "shift k", [-farthest, farthest])}
      <p class="key">
        <span><i></i>the hands at p = ${position}${word(position)}; drag one</span>
        <span><i class="of-later"></i>at ${sign} = ${later}${word(later)}</span>
        <span><i class="bar-plus"></i>sine (across) and cosine (up) above 0</span>
        <span><i class="bar-minus"></i>below 0</span>
      </p>
      <ul class=${isFew ? "dials" : "dials small"} role="list"
        style="--size: ${isFew ? 160 : 84}px">${speeds.map((speed, k) => this.dial(speed, k))}</ul>
    </section>`;
  }

  /** @param {What} what @param {string} label @param {[number, number]} ends */
  slide(what, label, ends) {
    /** @param {number} value @param {Press} press */
    const set = (value, press) => this.move(what, value, press);
    return slide(label, ends, 1, this.now[what], set, () => this.release());
  }

  /** Shows the position and shift from Python, unless a local move is pending. */
  take() {
    const { data } = this.model;
    if (!data.speeds) return;
    if (!this.sender.underWay) this.now = { position: data.position, shift: data.shift };
    this.draw();
  }

  /** @param {What} what @param {number} value @param {Press} press */
  move(what, value, { press, held }) {
    const low = what === "position" ? 0 : -FARTHEST;
    const whole = Math.round(Math.min(FARTHEST, Math.max(low, value)));
    this.now = { ...this.now, [what]: whole };
    this.later();
    this.sender.say({ type: "move", what, value: whole, press, held });
    this.sender.settled(() => this.take());
  }

  release() {
    this.sender.end({ type: "release" });
  }

  /** Returns a number line with a dot for each token, and the names that fit. */
  track() {
    const { tokens, last } = this.model.data;
    const { width } = this;
    const free = [-Infinity, -Infinity]; // for two lines of names
    const marks = tokens.flatMap(([label, position, moved]) => {
      const x = 8 + (position / last) * (width - 16);
      const dot = svg`<circle cx=${x} cy="8" r=${moved ? 5 : 3.5}
        class=${moved ? "moved" : ""}></circle>`;
      const room = 7 * label.length + 8;
      const middle = Math.max(room / 2, Math.min(x, width - room / 2)); // within the edges
      const row = free.findIndex((end) => middle - room / 2 >= end);
      if (row < 0) return [dot];
      free[row] = middle + room / 2;
      return svg`${dot}<text class="faint" text-anchor="middle" x=${middle}
        y=${26 + 14 * row}>${label}</text>`;
    });
    return svg`<line x1="8" x2=${width - 8} y1="8" y2="8"></line>${marks}`;
  }

  /**
   * Returns one clock; the tip of its hand is at (sine, cosine), so it points up at position 0.
   * @param {number} speed @param {number} k
   */
  dial(speed, k) {
    const { all, single, pairs, unit, turns } = this.model.data;
    const { position, shift } = this.now;
    const few = pairs.length <= FEW;
    const alone = single && pairs[k] === all - 1;
    const angle = position * speed;
    const [x, y] = [Math.sin(angle) * RADIUS, -Math.cos(angle) * RADIUS];
    const after = (position + shift) * speed;
    const [laterX, laterY] = [Math.sin(after) * RADIUS, -Math.cos(after) * RADIUS];
    const drop = `M${x.toFixed(2)} 0V${y.toFixed(2)}${alone ? "" : "H0"}`;
    const sine = three(Math.sin(angle));
    const cosine = alone ? "" : ` cos ${three(Math.cos(angle))}`;
    const turn = (2 * Math.PI) / speed;
    const period = turn < 100 ? turn.toFixed(1) : Math.round(turn).toLocaleString("en");
    const round = `once round in ${period} ${unit}`;
    /** @type {Grip} */
    const grip = {
      value: () => this.now.position, // current even between two draws
      at: (event, start) => start.value + this.turnedBy(event, start) / speed,
      step: 1,
      set: (value, press) => this.move("position", value, press),
      release: () => this.release(),
    };
    return html`<li><svg class="handle" role="slider" tabindex="0" viewBox="-54 -54 108 108"
        .grip=${grip} aria-label="clock ${pairs[k] + 1}, ${round}"
        aria-valuenow=${valueNow(position)}
        aria-valuetext="position ${position}: sine ${sine},${cosine || " no cosine"}">
        <circle class="face" r=${RADIUS + 4}></circle>
        <path class="axis" d="M-${RADIUS} 0H${RADIUS}M0-${RADIUS}V${RADIUS}"></path>
        <path class="turn" d=${sector(angle, shift * speed)}></path>
        <path class="drop" fill="none" d=${drop}></path>
        <line class="sine ${x < 0 ? "minus" : "plus"}" x1="0" y1="0" y2="0"
          x2=${x.toFixed(2)}></line>
        <line class="cosine ${y > 0 ? "minus" : "plus"}" x1="0" y1="0" x2="0"
          y2=${alone ? 0 : y.toFixed(2)}></line>
        ${hand("later", laterX, laterY)}${hand("hand", x, y)}
        <circle class="tip" r="6" cx=${x.toFixed(2)} cy=${y.toFixed(2)}></circle>
        ${shiftText(few ? turns[k] : "", angle, after, shift)}
      </svg><span class="numbers">sin ${sine}${cosine}</span
      ><span class="turns">${few ? round : period}</span></li>`;
  }

  /**
   * Returns the angle by which the hand was turned since a drag began, including whole turns.
   * @param {PointerEvent} event @param {Start} start
   */
  turnedBy(event, start) {
    const { left, top, width, height } = start.node.getBoundingClientRect();
    /** @param {number} x @param {number} y */
    const angle = (x, y) => Math.atan2(x - left - width / 2, top + height / 2 - y);
    if (this.turned.start !== start) this.turned = { start, at: angle(start.x, start.y), sum: 0 };
    const at = angle(event.clientX, event.clientY);
    const step = at - this.turned.at;
    this.turned.sum += step - 2 * Math.PI * Math.round(step / (2 * Math.PI));
    this.turned.at = at;
    return this.turned.sum;
  }
}

/**
 * Labels the angle of the shift: between the two hands if it fits there, else opposite to them.
 * @param {string} turns @param {number} from @param {number} to the angles of the two hands
 * @param {number} shift
 */
function shiftText(turns, from, to, shift) {
  const middle = (from + to) / 2;
  const isBetween = Math.abs(to - from) > 0.6 && Math.abs(to - from) < 2 * Math.PI;
  const at = isBetween ? middle : middle + Math.PI;
  const radius = RADIUS * (isBetween ? 0.78 : 0.6);
  return svg`<text class="shift" aria-hidden="true" x=${(Math.sin(at) * radius).toFixed(2)}
    y=${(-Math.cos(at) * radius + 4).toFixed(2)}
    >${turns && shift ? `${shift < 0 ? "−" : "+"}${turns}` : ""}</text>`;
}

/** @param {string} kind @param {number} x @param {number} y of its tip */
const hand = (kind, x, y) =>
  svg`<line class=${kind} x1="0" y1="0" x2=${x.toFixed(2)} y2=${y.toFixed(2)}></line>`;

/** @param {number} x @returns {string} with three decimals */
const three = (x) => fixed(Math.abs(x) < 0.0005 ? 0 : x, 3);

/** Returns the path of the sector that a turn sweeps. @param {number} from @param {number} turn */
function sector(from, turn) {
  const radius = RADIUS * 0.55;
  const most = Math.max(-6.28, Math.min(6.28, turn));
  /** @param {number} angle */
  const point = (angle) =>
    `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
  const flags = `${Math.abs(most) > Math.PI ? 1 : 0} ${most > 0 ? 1 : 0}`;
  return `M0 0L${point(from)}A${radius} ${radius} 0 ${flags} ${point(from + most)}Z`;
}
