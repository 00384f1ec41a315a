/** Bars along one axis of numbers, whose ends can be dragged. */

import { html } from "../../components/shared/lit-html.js";
import { Paced } from "../../components/shared/paced.js";
import { valueNow } from "./handle.js";

/**
 * @import {Connection} from "../../components/shared/model.js"
 * @import {Grip, Press} from "./handle.js"
 * @import {Said} from "../../components/shared/paced.js"
 */

const STEPS = 50; // presses of an arrow key from one end of the axis to the other

export class BarAxis {
  /** @param {Connection} model hears of what is dragged */
  constructor(model) {
    this.sender = new Paced(model);
    this.isHeld = false;
    this.isDragged = false; // a bar of its own, under whose pointer nothing may slip away
    this.low = 0;
    this.high = 1;
  }

  /**
   * Sets the ends. While a bar of the axis is dragged they stay, so that its end stays under the
   * pointer; while another number is held they only move outward.
   * @param {number} low @param {number} high
   */
  show(low, high) {
    if (this.isDragged) return;
    this.low = this.isHeld ? Math.min(this.low, low) : low;
    this.high = this.isHeld ? Math.max(this.high, high) : high;
  }

  /** The style of an element around the axis, which has where 0 is. */
  get zero() {
    return `--zero-at: ${this.at(0)}`;
  }

  /** @param {number} x @returns {string} how far along the axis; what lies beyond is at its end */
  at(x) {
    const share = (x - this.low) / (this.high - this.low);
    return `${100 * Math.min(1, Math.max(0, share))}%`;
  }

  /** A bar from one number to another. @param {number} from @param {number} to */
  bar(from, to) {
    return html`<span class="bar ${to < from ? "minus" : "plus"}"
      style="left: ${this.at(Math.min(from, to))};
        right: calc(100% - ${this.at(Math.max(from, to))})"></span>`;
  }

  /**
   * Says where a bar is dragged to.
   * @param {Said & Press} message
   */
  say(message) {
    this.isHeld = this.isDragged = message.held;
    this.sender.say(message);
  }

  /**
   * A handle at the end of a bar, which is placed in the track of the bar.
   * @param {string} label @param {number} value @param {string} text the value in words
   * @param {(value: number, press: Press) => void} set @param {number} [end] where the bar ends
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
