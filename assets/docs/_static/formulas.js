// Typesets formulas with KaTeX; a formula that fails keeps its source text.
for (const el of document.querySelectorAll("[data-tex]"))
  window.katex.render(el.dataset.tex, el, {
    displayMode: el.dataset.display !== undefined,
    throwOnError: false,
    strict: "ignore",
  });
