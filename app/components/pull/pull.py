"""The line that shows the effort of pulling an answer, and asks whether to keep the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import param

from ..buttons import Buttons
from ..component import module, styles

HERE = Path(__file__).parent
PRESSES = ("keep", "back")


class Pull(Buttons):
    """What is pulled, and which numbers change by how much; `value` selects what may change.

    `on_press` callbacks get the names of the buttons, those in ``PRESSES``.
    """

    value = param.String(default="", doc="Which numbers may move, one of the options.")

    few = param.Boolean(default=False, doc="Whether few numbers are to move, not all a little.")

    options = param.List(default=[], item_type=list, doc="Name and words of each choice.")

    shown = param.Dict(
        default={}, doc="`wish` and `cost`, two sentences, and `tone`: busy, granted or refused."
    )

    accepts = ("value", "few")

    presses = PRESSES

    _esm = module(HERE / "pull.js")
    _stylesheets = styles(HERE / "pull.css")

    def offers(self, name: str, raw: Any) -> bool:
        """See `Component.offers`."""
        return name != "value" or raw in [option for option, _ in self.options]
