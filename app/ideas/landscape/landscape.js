/** Moves the place in a landscape, by presses and drags in the chart or by two sliders. */

import { asControl } from "../../components/shared/control.js";
import { html, noChange, nothing } from "../../components/shared/lit-html.js";
import { onChange, untilRemoved } from "../../components/shared/model.js";
import { decimalText } from "../../components/shared/number_format.js";
import { Paced } from "../../components/shared/paced.js";
import { FromTemplate } from "../../components/shared/template.js";
import { nextPress } from "../kit/press.js";
import { ChartDrag } from "./chart_drag.js";

/**
 * @import {Component} from "../../components/shared/control.js"
 *
 * @typedef {object} Properties
 * @property {[number, number]} value @property {string} chart @property {[string, string]} names
 * @property {[number, number]} low @property {[number, number]} high
 * @property {[number, number]} least @property {string[]} visited losses of the places visited
 * @property {boolean} is_way @property {boolean} can_move @property {boolean} is_moved
 */

const STEPS = 200; // of a slider

const DOWNHILL = "Goes downhill as training does, but in these two directions only";
const BACK = "Back to the value of the model";
const OF_WAY =
  "The line is the path of the run. Press it, and the page shows the nearest kept step.";
const FIXED = "The dot is the model as it is now.";
const OF_DOT =
  "The dot is the model as it is now, the cross the lowest place. Press or drag in the " +
  "picture (by touch drag the dot), or move a slider.";

/** @param {number} at */
const textOf = (at) => decimalText(Number(at.toFixed(3)));

/** @param {Component<Properties>} component */
export function render({ model }) {
  const place = new Place(model);
  const { node } = place;
  const begin = () => {
    place.press = nextPress();
  };
  const { move, end } = place;
  const isShown = () => node.isConnected;
  new ChartDrag(model, { isShown, begin, move, end }, untilRemoved(model));
  const names = ["value", "names", "low", "high", "least", "is_way", "can_move", "is_moved"];
  onChange(model, [...names, "visited"], () => place.draw());
  return asControl(model, node);
}

class Place extends FromTemplate {
  /** @param {Component<Properties>["model"]} model */
  constructor(model) {
    super();
    this.model = model;
    this.moves = new Paced(model);
    this.press = 0;
    this.holds = false; // whether a slider is held
  }

  /** @param {number} x @param {number} y @param {boolean} held */
  move = (x, y, held) => {
    const [left, low] = this.model.low;
    const [right, high] = this.model.high;
    const across = Math.min(right, Math.max(left, x));
    const up = Math.min(high, Math.max(low, y));
    const press = held ? this.press : 0;
    this.moves.say({ type: "move", index: 0, x: across, y: up, press, held });
  };

  end = () => {
    this.holds = false;
    this.moves.end({ type: "release" });
  };

  template() {
    const { is_way: isWay, can_move: canMove, is_moved: isMoved, visited, least } = this.model;
    const isFixed = isWay || !canMove;
    /** @param {string} label @param {string} title @param {() => void} press */
    const button = (label, title, press, isOff = false) => html`<button type="button" class="button"
      title=${title || nothing} ?hidden=${isFixed} ?disabled=${isOff}
      @click=${press}>${label}</button>`;
    return html`<div class="control landscape">
      <p class="help">${canMove ? (isWay ? OF_WAY : OF_DOT) : FIXED}</p>
      ${this.slider(0)}${this.slider(1)}
      <div class="buttons">
        ${button("One step downhill", DOWNHILL, () => this.moves.say({ type: "step" }))}
        ${button("To the lowest place", "", () => this.move(least[0], least[1], false))}
        ${button("Restore", BACK, () => this.moves.say({ type: "restore" }), !isMoved)}
      </div>
      <p class="walked" ?hidden=${!visited.length}
        >Your way, by the loss at each place: ${visited.join(" → ")}</p>
    </div>`;
  }

  /** Returns the slider of one direction. @param {0 | 1} k */
  slider(k) {
    const { low, high, names, value, is_way: isWay, can_move: canMove } = this.model;
    const begin = () => {
      this.press = nextPress();
      this.holds = true;
    };
    const slide = (/** @type {Event} */ { currentTarget }) => {
      const to = /** @type {HTMLInputElement} */ (currentTarget).valueAsNumber;
      if (k) this.move(value[0], to, this.holds);
      else this.move(to, value[1], this.holds);
    };
    const release = () => this.holds && this.end();
    return html`<div class="way" ?hidden=${isWay}>
      <label for="landscape-${k}">${k ? "up" : "across"}: ${names[k]}</label><input type="range"
        id="landscape-${k}" min=${low[k]} max=${high[k]} step=${(high[k] - low[k]) / STEPS || "any"}
        aria-valuetext=${textOf(value[k])} ?disabled=${!canMove}
        .value=${this.moves.underWay || this.holds ? noChange : value[k]} @pointerdown=${begin}
        @input=${slide} @change=${release} @pointerup=${release}><output
        for="landscape-${k}">${textOf(value[k])}</output>
    </div>`;
  }
}
