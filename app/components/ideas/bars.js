/** Bars along one axis of numbers, whose ends can be dragged. */

import { make, setAttribute } from "../shared/dom.js";
import { asHandle } from "./handle.js";
import { Paced } from "./paced.js";

/**
 * @import {Connection} from "../shared/model.js"
 * @import {Press} from "./handle.js"
 * @import {Said} from "./paced.js"
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
   * @param {HTMLElement} node in which the bars are; its style has where 0 is
   * @param {number} low @param {number} high
   */
  show(node, low, high) {
    if (!this.isDragged) {
      this.low = this.isHeld ? Math.min(this.low, low) : low;
      this.high = this.isHeld ? Math.max(this.high, high) : high;
    }
    node.style.setProperty("--zero-at", this.at(0));
  }

  /** @param {number} x @returns {string} how far along the axis; what lies beyond is at its end */
  at(x) {
    const share = (x - this.low) / (this.high - this.low);
    return `${100 * Math.min(1, Math.max(0, share))}%`;
  }

  /** @param {HTMLElement} bar @param {number} from @param {number} to */
  place(bar, from, to) {
    bar.style.left = this.at(Math.min(from, to));
    bar.style.right = `calc(100% - ${this.at(Math.max(from, to))})`;
    setAttribute(bar, "class", `bar ${to < from ? "minus" : "plus"}`);
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
   * A track for a bar and for the handle at its end.
   * @param {() => number} value of the handle @param {(value: number, press: Press) => void} set
   * @param {...Node} inside
   */
  track(value, set, ...inside) {
    const track = make("div", { class: "track signed" }, ...inside);
    const span = () => this.high - this.low;
    const grip = asHandle(make("span", { class: "grip" }), {
      value,
      at: ({ clientX }, start) =>
        start.value + ((clientX - start.x) / (track.clientWidth || 1)) * span(),
      step: () => span() / STEPS,
      set,
      release: () => {
        this.isHeld = this.isDragged = false;
        this.sender.end({ type: "release" });
      },
    });
    track.append(grip);
    return { track, grip };
  }
}
