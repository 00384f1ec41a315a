"""The switch between models, and the door for one out of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import SHARED, styles
from ..esm import esm
from ..upload import OnOpen, Opens

HERE = Path(__file__).parent


class Models(Opens):
    """A button that names the model in use and opens a dialog with all there are.

    `on_choose(name)` takes a model and raises a ValueError whose sentence is shown. While it is
    at work, which takes a large model a few seconds, the dialog says so.
    """

    models = param.List(default=[], item_type=dict, doc="`name`, `label` and `about` of each.")

    chosen = param.String(default="", doc="The name of the model in use.")

    _esm = esm(HERE / "models.js")
    _stylesheets = styles(SHARED / "dialog.css", HERE / "models.css")

    def __init__(self, *, on_choose: Callable[[str], None], on_open: OnOpen, **params: Any) -> None:
        super().__init__(on_open=on_open, **params)
        self._on_choose = on_choose

    def _on_choose_message(self, data: dict[str, Any]) -> dict[str, Any]:
        self._on_choose(str(data.get("name")))
        return {}
