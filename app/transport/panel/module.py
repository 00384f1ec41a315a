"""Serves an ES module to the browser unchanged."""

from hashlib import sha256
from typing import Any, ClassVar

from bokeh.document import Document
from panel.custom import JSComponent


class Module(JSComponent):
    """A Panel component whose ES module is served unchanged, without compilation.

    By default Panel looks for compiled bundles and transpiles everything else in the browser each
    time a page is opened, which takes 0.8 s.
    """

    __abstract = True

    _bundle_path: ClassVar[None] = None

    def _get_properties(self, doc: Document) -> dict[str, Any]:
        """Add a bundle name, so that the browser does not transpile the module."""
        name = sha256(str(self._esm).encode()).hexdigest()
        return {**super()._get_properties(doc), "bundle": name}

    @classmethod
    def _render_esm(cls, *_: Any, **__: Any) -> str:
        """Return the module unchanged; Panel would dedent it for every opened page."""
        return str(cls._esm)
