/** Typesets formulas with the page's own copy of KaTeX. */

import { make } from "./dom.js";

const PAUSE = 100; // ms between checks whether KaTeX has loaded
const TRIES = 100;

/**
 * @type {Map<string, HTMLElement>} a cache of typeset elements by their TeX, because the page
 *   repeats many symbols
 */
const typesetFormulas = new Map();

/**
 * Typesets TeX as mathematics, or shows its source if KaTeX is not loaded or rejects it.
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

/** @returns {Promise<unknown>} settles when KaTeX has loaded or failed to load */
export function mathematics() {
  // Until the script has run, `window.katex` would be an element with the id "katex".
  const script = document.querySelector("#katex-script");
  if (window.katex || !script) return Promise.resolve();
  return new Promise((done) => {
    for (const end of ["load", "error"]) script.addEventListener(end, done, { once: true });
  });
}

/** Typesets formulas still shown as source. @param {ParentNode} root */
function typesetAgain(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const formulas = root.querySelectorAll("[data-tex]:not([data-set])");
  for (const el of formulas) typeset(el, el.dataset.tex ?? "", el.dataset.display !== undefined);
}

/** Typesets once KaTeX is loaded. @param {HTMLElement} root @param {AbortSignal} signal cancels */
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
 * Copies KaTeX's style sheets into a shadow root, where the document's sheets do not apply. The
 * fonts are declared in the document.
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
