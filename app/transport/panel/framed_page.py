"""The page's iframe as a Panel component, so the whole page can be part of a Panel app."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import panel as pn
import param
from bokeh.document import Document
from panel.custom import JSComponent
from panel.viewable import get_params_to_inherit

from ...components.esm import esm
from ..frame import IFrames
from ..frame.iframes import Tell
from .on_loop import on_loop

HERE = Path(__file__).parent
HEIGHT = 620
THEMES = ("auto", "light", "dark")
_OF_PANEL = {"default": "light", "dark": "dark"}


class FramedPage(JSComponent):
    """A page in an iframe, whose size Panel's layout sets."""

    height = param.Integer(default=HEIGHT, bounds=(0, None), allow_None=True, doc="In pixels.")
    sizing_mode = param.Selector(
        default="stretch_width", objects=pn.viewable.Layoutable.param["sizing_mode"].objects
    )
    theme: str = param.Selector(
        default="auto",
        objects=list(THEMES),
        doc="``light``, ``dark``, or ``auto``: that of the app, of its template or of Panel.",
    )
    disabled: bool = param.Boolean(default=False, doc="Whether readers cannot change anything.")

    _esm: ClassVar[str] = esm(HERE / "framed_page.js")

    def __init__(
        self,
        iframes: Callable[[Tell], IFrames],
        shown: Callable[[], Mapping[str, str]],
        **params: Any,
    ) -> None:
        """Create a page's iframe; ``iframes`` makes its `IFrames` from a send function.

        ``shown`` returns the ``title`` of the iframe, and the ``picture`` that it shows until the
        page runs; ``params`` may contain Panel's layout parameters.
        """
        if params.get("width") is not None and "sizing_mode" not in params:
            params["sizing_mode"] = None  # keeps a given width
        super().__init__(**params)
        self._shown = shown
        self._iframes = iframes(self._tell)

    def of_panel(self) -> dict[str, Any]:
        """Return the parameters of this class that a copy keeps."""
        inherited = get_params_to_inherit(self).items()
        return {name: value for name, value in inherited if name in FramedPage.param}

    def _get_properties(self, doc: Document | None) -> dict[str, Any]:
        """Add constants to the properties that the browser gets."""
        self._constants = {**self._shown(), "around": _OF_PANEL.get(pn.config.theme, "")}
        properties: dict[str, Any] = super()._get_properties(doc)
        return properties

    def _tell(self, message: dict[str, str], buffers: list[bytes]) -> None:
        self._send_msg({**message, "buffers": buffers})

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, dict):
            return
        if data.get("kind") == "theme" and data.get("text") in THEMES:
            self.theme = data["text"]
            return
        buffers = data.get("buffers")
        kept = buffers if isinstance(buffers, list) else ()
        on_loop(partial(self._iframes.hear, data, kept))

    def _cleanup(self, root: Any = None) -> None:
        super()._cleanup(root)
        self._iframes.end()
