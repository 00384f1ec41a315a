/**
 * A formula that is typeset when it first nears the screen. A page has hundreds of formulas; to
 * typeset all of them would take half of the loading time.
 */

import { typeset } from "../../components/shared/katex.js";
import { spoken } from "../../components/shared/spoken_math.js";

/** Matches formulas that are taller than one line. */
const TALL = /\\frac|\\sqrt|\\sum|\\begin/;

export class NearFormula {
  /** @param {HTMLElement} el @param {boolean} [display] */
  constructor(el, display = false) {
    this.el = el;
    this.display = display;
    this.tex = "";
    this.wasNear = false;
  }

  /** @param {string} tex */
  show(tex) {
    if (this.wasNear) typeset(this.el, tex, this.display);
    else if (tex !== this.tex) {
      this.el.textContent = spoken(tex);
      this.el.classList.add("far");
      this.el.classList.toggle("tall", this.display && TALL.test(tex));
    }
    this.tex = tex;
  }

  /** Typesets the formula, once. @returns {boolean} whether it was typeset now */
  arrive() {
    if (this.wasNear) return false;
    this.wasNear = true;
    this.el.classList.remove("far", "tall");
    typeset(this.el, this.tex, this.display);
    return true;
  }
}
