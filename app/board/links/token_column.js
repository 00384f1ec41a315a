/** A column of tokens beside the links: a list with keyboard navigation and space for weights. */

import { make, setAttribute, setText } from "../../components/shared/dom.js";
import { MIN_WEIGHT, weightInFull, weightText } from "./curve.js";
import { headVariable } from "./head_toggles.js";

/** @typedef {{head: number, weight: number}} HeadWeight */

export class TokenColumn {
  /** @param {"query" | "key"} side @param {string} label */
  constructor(side, label) {
    this.side = side;
    this.el = make("div", { class: `tokens of-${side}`, role: "listbox", "aria-label": label });
    /** @type {{el: HTMLElement, word: HTMLElement, numbers: HTMLElement}[]} */
    this.tokens = [];
    this.active = 0;
  }

  /** @param {string[]} labels @param {number | undefined} chosen */
  fill(labels, chosen) {
    while (this.tokens.length > labels.length) this.tokens.pop()?.el.remove();
    while (this.tokens.length < labels.length) {
      const word = make("span", { class: "word" });
      const numbers = make("span", { class: "numbers" });
      const el = make("div", { class: "token", role: "option" }, word, numbers);
      this.tokens.push({ el, word, numbers });
      this.el.append(el);
    }
    this.tokens.forEach(({ el, word }, k) => {
      setText(word, labels[k] || "∅");
      el.setAttribute("aria-selected", String(k === chosen));
    });
    this.tabTo(Math.min(this.active, labels.length - 1));
  }

  /**
   * @param {number} width px
   * @param {number} height height of the whole picture
   * @param {number} step px between tokens
   */
  place(width, height, step) {
    this.el.style.width = `${width}px`;
    this.el.style.top = `${(height - this.tokens.length * step) / 2}px`;
  }

  /** Makes a token the Tab stop. @param {number} k */
  tabTo(k) {
    this.active = k;
    this.tokens.forEach(({ el }, n) => {
      el.tabIndex = n === k ? 0 : -1;
    });
  }

  /** @param {number} k clamped to the list */
  focus(k) {
    this.tokens[Math.max(0, Math.min(this.tokens.length - 1, k))].el.focus();
  }

  /** @param {Element | null} el @returns {number} −1 if the element is not in the list */
  indexOf(el) {
    return this.tokens.findIndex((token) => token.el === el);
  }

  /**
   * @param {number} k @param {{lit: boolean, dim: boolean, followed: boolean}} state
   * @param {HeadWeight[]} weights weights to show beside the token
   * @param {number} most number of weights that fit
   */
  show(k, { lit, dim, followed }, weights, most) {
    const { el, numbers } = this.tokens[k];
    el.classList.toggle("lit", lit);
    el.classList.toggle("dim", dim);
    el.classList.toggle("followed", followed);
    writeNumbers(numbers, weights, most);
  }
}

/** @param {HTMLElement} el @param {HeadWeight[]} all @param {number} most */
function writeNumbers(el, all, most) {
  // If not all heads fit, show the strongest.
  const some = all.length <= most ? all : [all.reduce((a, b) => (b.weight > a.weight ? b : a))];
  while (el.childElementCount > some.length) el.lastElementChild?.remove();
  while (el.childElementCount < some.length) el.append(make("span", { class: "number" }));
  some.forEach(({ head, weight }, k) => {
    const number = /** @type {HTMLElement} */ (el.children[k]);
    setText(number, weightText(weight));
    setAttribute(number, "title", weight < 0.0005 ? weightInFull(weight) : null);
    if (number.dataset.head !== `${head}`) {
      number.dataset.head = `${head}`;
      number.style.setProperty("--head", headVariable(head));
    }
    number.classList.toggle("weak", weight < MIN_WEIGHT);
  });
}
