"""The frame as something of Panel's: a page that stands in an app of one's own as it does alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import param
from panel.custom import JSComponent

from ...esm import esm
from ..frame import Frames

HERE = Path(__file__).parent


class FramedPage(JSComponent):
    """A page in a frame; ``handle`` reads and changes it."""

    page_title = param.String(doc="What the frame is called.")
    picture = param.String(doc="What stands there until the page is alive.")
    frame_height = param.Integer(default=620, doc="In pixels.")

    _esm: ClassVar[str] = esm(HERE / "framed_page.js")

    def __init__(
        self, frames: Callable[[Callable[..., None]], Frames], handle: Any, **params: Any
    ) -> None:
        """A frame of one page.

        Args:
            frames: makes its frames, given what sends a message and bytes to them.
            handle: what the program has of the page.
            **params: page_title, picture, frame_height, and any of Panel's layout.
        """
        super().__init__(**{"sizing_mode": "stretch_width", **params})
        self.handle = handle
        self._frames = frames(self._tell)

    def _tell(self, message: dict[str, str], buffers: list[bytes]) -> None:
        self._send_msg({**message, "buffers": buffers})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict):
            buffers = data.get("buffers")
            self._frames.hear(data, buffers if isinstance(buffers, list) else ())

    def _cleanup(self, root: Any = None) -> None:
        super()._cleanup(root)
        self._frames.end()
