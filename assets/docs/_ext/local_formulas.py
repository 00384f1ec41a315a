"""Formulas typeset by the page's KaTeX, whose files are part of the site."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from tinkerformer.site.math_files import SCRIPT, SHEET, math_files


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    tex = escape(node.astext())
    translator.body.append(f'<span class="math" data-tex="{tex}">{tex}</span>')
    raise nodes.SkipNode


def visit_display(translator: Any, node: nodes.math_block) -> None:
    """Write a formula of its own."""
    tex = escape(node.astext())
    translator.body.append(f'<div class="math" data-tex="{tex}" data-display>{tex}</div>')
    raise nodes.SkipNode


def ask_for_katex(app: Sphinx, page: str, *_: Any) -> None:
    """Load KaTeX only on pages with formulas."""
    if app.builder.format == "html" and app.env.get_domain("math").has_equations(page):
        app.add_css_file(SHEET)
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_js_file("formulas.js", loading_method="defer")


def write_katex(app: Sphinx, error: Exception | None) -> None:
    """Copy KaTeX's files beside those of the theme."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    for name, data in math_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer, ``html_math_renderer = "katex"``."""
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.connect("html-page-context", ask_for_katex)
    app.connect("build-finished", write_katex)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
