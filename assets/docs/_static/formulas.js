// What is marked as a formula is set by KaTeX; where that fails, it stays as it was written.
for (const el of document.querySelectorAll("[data-tex]"))
  window.katex.render(el.dataset.tex, el, {
    displayMode: el.dataset.display !== undefined,
    throwOnError: false,
    strict: "ignore",
  });
