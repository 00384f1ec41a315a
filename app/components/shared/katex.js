/**
 * Set TeX as mathematics; as plain text if KaTeX is missing or refuses it.
 * @param {HTMLElement} node @param {string} tex
 */
export function typeset(node, tex) {
  if (node.dataset.tex === tex) return;
  node.dataset.tex = tex;
  try {
    window.katex.render(tex, node, { throwOnError: true, strict: "ignore" });
  } catch {
    node.textContent = tex;
  }
}

/**
 * Styles of the document end at a shadow root: take KaTeX's along.
 * @param {Node} node a node in the shadow root
 */
export function adoptMathStyles(node) {
  const root = node.getRootNode();
  if (!(root instanceof ShadowRoot) || root.querySelector("link[data-math]")) return;
  const link = document.querySelector('link[rel=stylesheet][href*="katex"]');
  if (!link) return;
  const copy = link.cloneNode();
  copy.dataset.math = "";
  root.append(copy);
}
