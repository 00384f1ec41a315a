/** Typesetting, and the same symbols as words for those who listen. */

/** @param {string} tag @param {string} [className] @param {string} [text] */
export function make(tag, className, text) {
  const el = document.createElement(tag);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = text;
  return el;
}

/** KaTeX's fonts are declared in the document, but its rules do not reach into a shadow root. @param {Node} root */
export function adoptMathStyles(root) {
  for (const link of document.querySelectorAll('link[rel="stylesheet"][href*="katex"]'))
    root.append(link.cloneNode());
}

/** @type {Map<string, Node>} each formula is set once; the page repeats its symbols often */
const typeset = new Map();

/** @param {HTMLElement} el @param {string} tex @param {boolean} [display] */
export function setMath(el, tex, display = false) {
  if (el.dataset.tex === tex && el.dataset.set) return;
  el.dataset.tex = tex;
  const key = (display ? "D" : "I") + tex;
  if (!typeset.has(key) && window.katex) {
    const box = make("span");
    try {
      window.katex.render(tex, box, { displayMode: display, throwOnError: true, trust: false });
      typeset.set(key, box);
    } catch (_) {
      /* shown as it was written */
    }
  }
  if (typeset.has(key)) {
    el.replaceChildren(...typeset.get(key).cloneNode(true).childNodes);
    el.dataset.set = "1";
  } else el.textContent = tex;
}

/** Formulas that were set before KaTeX had arrived. @param {ParentNode} root */
export function setMathAgain(root) {
  for (const el of root.querySelectorAll("[data-tex]:not([data-set])"))
    setMath(el, el.dataset.tex, el.classList.contains("formula"));
}

const SPOKEN = [
  [/\\(text|mathrm|mathbf|operatorname|mathit|tilde|hat|bar)\*?/g, ""],
  [/\^\\top|\^T\b|\^\{\\top\}/g, " transposed"],
  [/\\frac\{([^{}]*)\}\{(.*)\}/g, "$1 over $2"],
  [/\\sqrt/g, "root of "],
  [/\\cdot|\\times/g, " times "],
  [/\\(left|right|,|;|!|quad|displaystyle)/g, " "],
  [/\\([a-zA-Z]+)/g, " $1 "],
  [/[{}\\]/g, ""],
  [/\s+/g, " "],
];

/** W^Q_{1} → W^Q_1; \gamma → gamma. @param {string} tex */
export const spoken = (tex) =>
  SPOKEN.reduce((text, [pattern, words]) => text.replace(pattern, words), tex).trim();
