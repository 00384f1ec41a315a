/**
 * Typesets the names of matrices, cells and sizes, such as W_src^E[black, d2] and d_model, like
 * KaTeX. The signs _ and ^ stay in the text, invisible, for search, copy and screen readers.
 */

import { html, nothing, render, svg } from "./lit-html.js";

/** @typedef {["sub" | "sup" | "", string][]} Parts subscripts, superscripts and other texts */

/** @type {Record<string, "sub" | "sup">} */
const SET = { _: "sub", "^": "sup" };
const DIGITS = "₀₁₂₃₄₅₆₇₈₉";

/**
 * Matches names within a sentence: a letter with subscripts, superscripts or a cell in brackets; or
 * a dimension, recognized by its context, as in "row d1" and "d1 · f2".
 */
const NAMES = (() => {
  const symbol = String.raw`(?:∂ℓ/∂)?\p{L}(?:[₀-₉]+|[_^](?:\p{L}+|\d+))+(?:\[[^\]]*\])?`;
  const cell = String.raw`\p{L}\[[^\]]+\]`;
  const dimension = String.raw`(?<=(?:row|column|·) )[dkvfz]\d+|^[dkvfz]\d+(?= ·)`;
  return new RegExp(String.raw`(?<![\w“])(?:${symbol}|${cell}|${dimension})(?![\w”])`, "gu");
})();
const DIMENSION = /(?<=[[ ])([dkvfz])(\d+)(?=[,\]])/u;

/** @param {string} name @returns {Parts} */
export function nameParts(name) {
  // In brackets, _ and ^ are parts of words and mark no subscripts or superscripts.
  const cut = name.indexOf("[");
  const symbol = cut < 0 ? name : name.slice(0, cut);
  const [letter, ...marks] = symbol.split(/(?=[_^])|(?<![₀-₉])(?=[₀-₉])/);
  return [
    ["", letter],
    ...marks.map((mark) => {
      const set = SET[mark[0]];
      const text = set ? mark.slice(1) : mark.replace(/./g, (sign) => `${DIGITS.indexOf(sign)}`);
      return /** @type {["sub" | "sup", string]} */ ([set ?? "sub", text]);
    }),
    ["", name.slice(symbol.length)],
  ];
}

/** @param {string} name */
export function nameOf(name) {
  const isDimension = /^[dkvfz]\d+$/.test(name);
  const [[, letter], ...rest] = nameParts(isDimension ? `${name[0]}_${name.slice(1)}` : name);
  const [, words] = rest.pop() ?? ["", ""];
  const marks = rest.map(([set, text]) => {
    const sign = isDimension || /^\d+$/.test(text) ? "" : set === "sub" ? "_" : "^";
    return html`<span class=${set}>${sign && html`<span class="sign">${sign}</span>`}${letters(
      text,
    )}</span>`;
  });
  return html`<span class="cell-name">${letters(letter)}${
    marks.length > 1 ? html`<span class="marks">${marks}</span>` : marks
  }${words && html`<span class="of">${words.split(DIMENSION).map(wordPart)}</span>`}</span>`;
}

/** Sets a single letter in italics, a word or a number upright. @param {string} text */
const letters = (text) => (/^\p{L}$/u.test(text) ? html`<i>${text}</i>` : text);

/**
 * Typesets a part of "[row, column]" that was split at dimensions: text, the letter of a
 * dimension, or its number as a subscript.
 * @param {string} part @param {number} k the index of the part
 */
function wordPart(part, k) {
  if (k % 3 === 0) return part;
  return k % 3 === 1 ? html`<i>${part}</i>` : html`<span class="sub">${part}</span>`;
}

/** Shows a text with all names typeset. @param {HTMLElement} el @param {string} text */
export function setNames(el, text) {
  render(withNames(text), el);
}

/** @param {string} text */
export const withNames = (text) =>
  namesIn(text).map(([part, isName]) => (isName ? nameOf(part) : part));

/** @param {string} text @returns {[part: string, isName: boolean][]} */
export function namesIn(text) {
  let from = 0;
  const parts = /** @type {[string, boolean][]} */ ([]);
  for (const { 0: name, index } of text.matchAll(NAMES)) {
    parts.push([text.slice(from, index), false], [name, true]);
    from = index + name.length;
  }
  parts.push([text.slice(from), false]);
  return parts.filter(([part]) => part);
}

const SHIFT = { sub: 3, sup: -4, "": 0 };

/** Returns a name as `tspan` elements of an SVG text. @param {string} name */
export function nameTspans(name) {
  let last = 0;
  return nameParts(name)
    .filter(([, text]) => text)
    .map(([set, text], k) => {
      const dy = SHIFT[set] - last;
      last = SHIFT[set];
      const isLetter = /^\p{L}$/u.test(text) && (k === 0 || set);
      const kind = set ? `mark${isLetter ? " letter" : ""}` : isLetter ? "letter" : nothing;
      return svg`<tspan dy=${dy} class=${kind}>${text}</tspan>`;
    });
}
