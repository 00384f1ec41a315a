/** An equation above a row of matrices; it scrolls horizontally if wider than the page. */

import { make } from "../../components/shared/dom.js";
import { NearFormula } from "./near_formula.js";

/** @import {Matrix} from "../data/matrix.js" */

export class Equation {
  /** @param {string} tex */
  constructor(tex) {
    this.el = make("span", { class: "equation" });
    this.formula = new NearFormula(this.el, true);
    this.formula.show(tex);
    this.near = false;
    this.matrices = /** @type {Matrix[]} */ ([]); // always empty: an equation shows no matrices
    this.available = 0; // available width, CSS px
    this.scrolls = false;
  }

  /** @param {boolean} near */
  approach(near) {
    this.near = near;
    if (!near || !this.formula.arrive()) return;
    this.measure(this.available);
    this.layOut();
  }

  /** @param {number} available available width, CSS px */
  measure(available) {
    this.available = available;
    if (!this.formula.wasNear) return;
    const set = this.el.firstElementChild?.firstElementChild ?? this.el;
    this.scrolls = set.scrollWidth > available;
  }

  layOut() {
    this.el.classList.toggle("scrolls", this.scrolls);
    // A formula that scrolls must be focusable for the keys; others need no Tab stop.
    if (this.scrolls) this.el.setAttribute("tabindex", "0");
    else this.el.removeAttribute("tabindex");
  }
}
