"""The views of the center, and a word on light and dark for what the server draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

from ..component import Component, styles
from ..esm import esm

HERE = Path(__file__).parent


class Tabs(Component):
    """A line of tabs; `on_choose(name)` hears which one was pressed, `on_theme(dark)` the theme."""

    tabs = param.List(default=[], doc="Pairs of a name and a label, in order.")

    chosen = param.String(default="", doc="The name of the tab that is open.")

    _esm = esm(HERE / "tabs.js")
    _stylesheets = styles(HERE / "tabs.css")

    def __init__(
        self,
        *,
        on_choose: Callable[[str], None],
        on_theme: Callable[[bool], None],
        **params: Any,
    ) -> None:
        super().__init__(sizing_mode=None, **params)
        self._on_choose = on_choose
        self._on_theme = on_theme

    def receive(self, data: dict[str, Any]) -> None:
        if data.get("type") == "theme":
            self._on_theme(bool(data.get("dark")))
        elif data.get("type") == "choose" and data.get("name") in [name for name, _ in self.tabs]:
            self.open(data["name"])

    def open(self, name: str) -> None:
        """Open a tab, as if it had been pressed."""
        self.chosen = name
        self._on_choose(name)
