/** Draws bars along one number axis; the end of a bar can be dragged. */

import { html } from "../../components/shared/lit-html.js";
import { Paced } from "../../components/shared/paced.js";
import { valueNow } from "./handle.js";

/**
 * @import {Connection} from "../../components/shared/model.js"
 * @import {Grip, Press} from "./handle.js"
 * @import {Said} from "../../components/shared/paced.js"
 */

const STEPS = 50; // arrow key presses from one end of the axis to the other

export class BarAxis {
  /** @param {Connection} model receives the messages of drags */
  constructor(model) {
    this.sender = new Paced(model);
    this.isHeld = false;
    this.isDragged = false; // whether a bar of this axis is dragged
    this.low = 0;
    this.high = 1;
  }

  /**
   * Sets the ends of the axis. While a bar of this axis is dragged, the axis is fixed, so that the
   * bar stays under the pointer. While another number is dragged, the ends only move outward.
   * @param {number} low @param {number} high
   */
  show(low, high) {
    if (this.isDragged) return;
    this.low = this.isHeld ? Math.min(this.low, low) : low;
    this.high = this.isHeld ? Math.max(this.high, high) : high;
  }

  /** The style of an element that contains the axis: the position of 0. */
  get zero() {
    return `--zero-at: ${this.at(0)}`;
  }

  /** @param {number} x @returns {string} the place on the axis, clipped to the ends */
  at(x) {
    const share = (x - this.low) / (this.high - this.low);
    return `${100 * Math.min(1, Math.max(0, share))}%`;
  }

  /** Returns a bar between two numbers. @param {number} from @param {number} to */
  bar(from, to) {
    return html`<span class="bar ${to < from ? "minus" : "plus"}"
      style="left: ${this.at(Math.min(from, to))};
        right: calc(100% - ${this.at(Math.max(from, to))})"></span>`;
  }

  /** Sends the value to which a bar was moved. @param {Said & Press} message */
  say(message) {
    this.isHeld = this.isDragged = message.held;
    this.sender.say(message);
  }

  /**
   * Returns a handle at the end of a bar, inside the bar's track.
   * @param {string} label @param {number} value @param {string} text the value in words
   * @param {(value: number, press: Press) => void} set @param {number} [end] the end of the bar
   */
  grip(label, value, text, set, end = value) {
    const span = this.high - this.low;
    /** @type {Grip} */
    const grip = {
      value: () => value,
      at: ({ clientX }, start) =>
        start.value + ((clientX - start.x) / (start.node.parentElement?.clientWidth || 1)) * span,
      step: span / STEPS,
      set,
      release: () => {
        this.isHeld = this.isDragged = false;
        this.sender.end({ type: "release" });
      },
    };
    return html`<span class="grip handle" role="slider" tabindex="0" .grip=${grip}
      style="left: ${this.at(end)}" aria-label=${label} aria-valuenow=${valueNow(value)}
      aria-valuetext=${text}></span>`;
  }
}
