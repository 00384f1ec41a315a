"""Embeds the live page in the documentation, wherever a page of it has a mark.

The embedded page is a site of `tinkerformer build`, which needs only a file server. It is written
once for all pages, into the folder ``live``.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlencode

import live_places
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri
from tinkerformer.session.address import page_address
from tinkerformer.site.build import ELEMENT, build

FOLDER = "live"
PASSED = ("show", "lock", "theme", "height")  # attributes of the element


class live(nodes.General, nodes.Element):
    """A place for the live page."""


class Live(SphinxDirective):
    """``{live} VIEW``: a view, a stage, ``matrix:PATH`` or ``lesson:NAME``."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "title": directives.unchanged_required,
        **dict.fromkeys(PASSED, directives.unchanged),
    }

    def run(self) -> list[nodes.Node]:
        """Check the view here once, so that a mistake is reported with its line."""
        asked = {name: self.options[name] or "" for name in PASSED if name in self.options}
        view = self.arguments[0]
        for problem in page_address(urlencode({"view": view, "embed": "", **asked})).problems:
            raise self.error(problem)
        title = self.options.get("title", "Tinkerformer")
        return [live("", view=view, title=title, asked=asked, is_first=self._is_first())]

    def _is_first(self) -> bool:
        """Return whether this page does not yet load the script of the element."""
        seen = self.env.temp_data.get("live_embeds", 0)
        self.env.temp_data["live_embeds"] = seen + 1
        return not seen


def visit_live(translator: Any, node: live) -> None:
    """Write a frame that starts when it is scrolled near, and a link to the page alone."""
    builder = translator.builder
    here = builder.get_target_uri(builder.current_docname)
    base = relative_uri(here, f"{FOLDER}/index.html").removesuffix("index.html")
    attributes = {"src": base, "view": node["view"], "title": node["title"], **node["asked"]}
    written = " ".join(
        f'{name}="{escape(value)}"' if value else name for name, value in attributes.items()
    )
    address = f"{base}?{urlencode({'view': node['view']})}"
    if node["is_first"]:
        theme = relative_uri(here, "_static/live.js")
        translator.body.append(
            f'<script src="{theme}"></script><script defer src="{base}{ELEMENT}"></script>'
        )
    translator.body.append(
        f'<div class="live"><tinker-former {written}></tinker-former>'
        f'<p><a href="{escape(address)}">Open it by itself</a></p></div>'
    )
    raise nodes.SkipNode


def build_live(app: Sphinx, error: Exception | None) -> None:
    """Build the live page beside the pages of the documentation."""
    if error is None and app.builder.format == "html":
        runtime = Path(app.config.live_runtime) if app.config.live_runtime else None
        build(Path(app.outdir) / FOLDER, runtime, force=True, report=lambda _: None)


def read_marks(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Replace each mark, and the text that readers of the file see, by the directive."""
    source[0] = live_places.MARKED.sub(live_places.as_directive, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the node, the directive and the handlers."""
    app.connect("source-read", read_marks)
    app.add_config_value("live_runtime", os.environ.get("TINKERFORMER_RUNTIME", ""), "")
    app.add_node(live, html=(visit_live, None))
    app.add_directive("live", Live)
    app.connect("build-finished", build_live)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
