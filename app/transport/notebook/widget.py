"""The page's iframe as an anywidget, which all notebook frontends can display."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from ...components.esm import esm
from ..frame import IFrames

HERE = Path(__file__).parent


class NotebookWidget(anywidget.AnyWidget):
    """A page for JupyterLab, Notebook 7, marimo, VS Code and Colab."""

    # marimo and later versions of anywidget accept only a default export.
    _esm: ClassVar[str] = (
        esm(HERE / "notebook.js", "widget") + "export default { render: widget };\n"
    )

    title = traitlets.Unicode().tag(sync=True)
    picture = traitlets.Unicode(help="The picture shown while no kernel answers.").tag(sync=True)
    height = traitlets.Int(620, min=100).tag(sync=True)

    def __init__(self, iframes: Callable[[Any], IFrames], **traits: Any) -> None:
        """Create a page's widget; ``iframes`` returns `IFrames` that send with its argument."""
        super().__init__(**traits)
        self._iframes = iframes(self.send)
        self.on_msg(lambda _widget, content, buffers: self._iframes.hear(content, buffers or ()))
