"""A module of JavaScript that Panel hands to the browser as it is."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, ClassVar

from bokeh.document import Document
from panel.custom import JSComponent


class Module(JSComponent):
    """Something of Panel's that is drawn by a module of ours, which no one has to translate.

    Panel's defaults look for compiled bundles; and what is no bundle the browser translates into
    older JavaScript whenever a page is opened: 0.8 s.
    """

    __abstract = True

    _bundle_path: ClassVar[None] = None

    def _get_properties(self, doc: Document) -> dict[str, Any]:
        """The module as a bundle, which is taken as it is."""
        name = sha256(str(self._esm).encode()).hexdigest()
        return {**super()._get_properties(doc), "bundle": name}

    @classmethod
    def _render_esm(cls, *_: Any, **__: Any) -> str:
        """The module as it is: Panel would take its indentation apart at every opened page."""
        return str(cls._esm)
