"""The views of the center, and whether the page is dark, for what the server draws."""

from __future__ import annotations

from pathlib import Path

import param

from ..choice import Choice
from ..component import styles
from ..esm import esm

HERE = Path(__file__).parent


class Tabs(Choice):
    """A line of tabs."""

    tabs = param.List(default=[], doc="Pairs of a name and a label, in order.")

    dark = param.Boolean(default=False, doc="Whether the page is shown in the dark.")

    accepts = ("value", "dark")

    _esm = esm(HERE / "tabs.js")
    _stylesheets = styles(HERE / "tabs.css")

    def names(self) -> list[str]:
        """See `Choice.names`."""
        return [name for name, _ in self.tabs]
