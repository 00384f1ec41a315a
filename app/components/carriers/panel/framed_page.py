"""The page's iframe as a Panel component, so the whole page can be part of a Panel app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from ...esm import esm
from ..frame import IFrames

HERE = Path(__file__).parent


class FramedPage(JSComponent):
    """A page in an iframe; ``handle`` reads and changes it."""

    page_title = param.String(doc="What the frame is called.")
    picture = param.String(doc="What stands there until the page is alive.")
    frame_height = param.Integer(default=620, doc="In pixels.")

    _esm: ClassVar[str] = esm(HERE / "framed_page.js")

    def __init__(
        self, iframes: Callable[[Callable[..., None]], IFrames], handle: Any, **params: Any
    ) -> None:
        """Create the iframe of one page.

        Args:
            iframes: creates the page's iframes, given a function that sends a message and bytes.
            handle: the program's handle on the page.
            **params: page_title, picture, frame_height, and any of Panel's layout parameters.
        """
        super().__init__(**{"sizing_mode": "stretch_width", **params})
        self.handle = handle
        self._iframes = iframes(self._tell)

    def _tell(self, message: dict[str, str], buffers: list[bytes]) -> None:
        self._send_msg({**message, "buffers": buffers})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict):
            buffers = data.get("buffers")
            self._iframes.hear(data, buffers if isinstance(buffers, list) else ())

    def _cleanup(self, root: Any = None) -> None:
        super()._cleanup(root)
        self._iframes.end()
