/** Typesetting with the KaTeX that the page carries. */

import { make } from "./dom.js";

const PAUSE = 100; // ms between two looks whether KaTeX is there
const TRIES = 100;

/** @type {Map<string, HTMLElement>} each formula is set once; the page repeats its symbols often */
const typesetFormulas = new Map();

/**
 * Set TeX as mathematics; as it was written if KaTeX has not arrived or refuses it.
 * @param {HTMLElement} el @param {string} tex @param {boolean} [display]
 */
export function typeset(el, tex, display = false) {
  if (el.dataset.tex === tex && el.dataset.set) return;
  el.dataset.tex = tex;
  if (display) el.dataset.display = "";
  const key = (display ? "D" : "I") + tex;
  let formula = typesetFormulas.get(key);
  if (!formula && window.katex) {
    formula = make("span");
    try {
      window.katex.render(tex, formula, {
        displayMode: display,
        throwOnError: true,
        strict: "ignore",
        trust: false,
      });
      typesetFormulas.set(key, formula);
    } catch {
      formula = undefined;
    }
  }
  if (formula) {
    el.replaceChildren(...formula.cloneNode(true).childNodes);
    el.dataset.set = "";
  } else {
    el.textContent = tex;
    delete el.dataset.set;
  }
}

/** When KaTeX is there, or will not come. @returns {Promise<unknown>} */
export function mathematics() {
  // An element with the id "katex" would be `window.katex` until the script has run.
  const script = document.querySelector("#katex-script");
  if (window.katex || !script) return Promise.resolve();
  return new Promise((done) => {
    for (const end of ["load", "error"]) script.addEventListener(end, done, { once: true });
  });
}

/** Formulas that were set before KaTeX had arrived. @param {ParentNode} root */
function typesetAgain(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const formulas = root.querySelectorAll("[data-tex]:not([data-set])");
  for (const el of formulas) typeset(el, el.dataset.tex ?? "", el.dataset.display !== undefined);
}

/**
 * KaTeX may arrive after what is typeset with it.
 * @param {HTMLElement} root @param {AbortSignal} signal to wait no longer
 */
export function typesetWhenReady(root, signal) {
  let tries = TRIES;
  const look = () => {
    if (signal.aborted) return;
    if (window.katex) {
      typesetAgain(root);
      adoptMathStyles(root);
    } else if (tries--) setTimeout(look, PAUSE);
  };
  look();
}

/**
 * KaTeX's fonts are declared in the document, but its rules do not reach into a shadow root: take
 * them along, once they are there.
 * @param {HTMLElement} root
 */
export function adoptMathStyles(root) {
  if (root.querySelector("link[data-math]")) return;
  for (const link of document.querySelectorAll('link[rel="stylesheet"][href*="katex"]')) {
    const copy = /** @type {Element} */ (link.cloneNode());
    copy.setAttribute("data-math", "");
    root.append(copy);
  }
}
